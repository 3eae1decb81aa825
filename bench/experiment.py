"""Eight stories in which a write is easily made twice; see `wizard.host.experiment`."""

import sys

from wizard.host.experiment import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
