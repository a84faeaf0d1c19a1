import os
import sys

from generator.cli import main

try:
    status = main()
    sys.stdout.flush()
except BrokenPipeError:
    # The reader has seen enough (`| head`); Python would complain once more at exit.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    status = 0
sys.exit(status)
