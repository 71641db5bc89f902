"""Which file system a folder lies on, and whether the kernel's lock on it binds everybody."""

import re
from pathlib import Path

LOCAL = frozenset(
    "apfs bcachefs btrfs exfat ext2 ext3 ext4 f2fs hfsplus jfs nilfs2 ntfs3 overlay ramfs reiserfs "
    "tmpfs vfat xfs zfs".split()
)
"""File systems of one machine, whose processes all ask the same kernel for a lock.

Others (nfs, cifs, smb3, 9p, virtiofs, fuse, ceph, lustre, …) may be written from elsewhere, and
whether their locks are seen there is a matter of how they are mounted, which cannot be known here.
"""

_MOUNTS = Path("/proc/self/mountinfo")
_ESCAPED = re.compile(r"\\([0-7]{3})")


def flock_serves(folder: Path) -> bool:
    """Whether a folder is known to lie on a file system of this machine alone."""
    try:
        table = _MOUNTS.read_text(encoding="utf-8", errors="surrogateescape")
        return file_system_of(folder.resolve(), table) in LOCAL
    except OSError:  # a system that does not say
        return False


def file_system_of(folder: Path, table: str) -> str | None:
    r"""The type of the file system that is mounted nearest above an absolute path.

    `table` is the text of mountinfo. Of several mounts in one place, the last is the one seen.

    >>> table = "27 1 254:0 / / rw - ext4 /dev/vda rw\n28 27 0:25 / /mnt rw shared:1 - nfs4 h:/ rw"
    >>> file_system_of(Path("/mnt/x"), table), file_system_of(Path("/mnty"), table)
    ('nfs4', 'ext4')
    """
    nearest, found = -1, None
    for line in table.splitlines():
        mount, _, kind = line.partition(" - ")
        point = Path(_ESCAPED.sub(lambda octal: chr(int(octal[1], 8)), mount.split(" ")[4]))
        if len(point.parts) >= nearest and folder.is_relative_to(point):
            nearest, found = len(point.parts), kind.split(" ")[0]
    return found
