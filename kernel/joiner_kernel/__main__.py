"""`python -m joiner_kernel -f CONNECTION_FILE`, as Jupyter starts it."""

from ipykernel.kernelapp import IPKernelApp

from joiner_kernel import JoinerKernel

IPKernelApp.launch_instance(kernel_class=JoinerKernel)
