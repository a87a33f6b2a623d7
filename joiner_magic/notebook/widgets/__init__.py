"""The widget that shows views in a browser, and the script that the browser runs for it."""
