"""`python -m joiner_kernel -f CONNECTION_FILE`, as Jupyter starts it."""

import sys

# Python looks into the working directory first. In a checkout the sources there have no native core.
here = sys.path.pop(0)

from ipykernel.kernelapp import IPKernelApp  # noqa: E402

from joiner_kernel.kernel import JoinerKernel  # noqa: E402

sys.path.insert(0, here)
IPKernelApp.launch_instance(kernel_class=JoinerKernel)
