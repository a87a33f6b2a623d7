"""Views alive in a front end: one widget, and the small module that the browser runs."""
