"""What oploom raises beside Python's own exceptions.

- `VersionError` (a RuntimeError): backward needs a value that was overwritten in place.
- `InplaceError` (a ValueError): an in-place call was refused; nothing was changed.
- `LeafInplaceError` (an InplaceError): refused for a leaf that does not stop gradient,
  or for a view of one.
"""

from oploom._oploom import InplaceError, LeafInplaceError, VersionError

__all__ = ["InplaceError", "LeafInplaceError", "VersionError"]
