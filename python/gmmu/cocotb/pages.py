# SPDX-License-Identifier: Apache-2.0
"""pages.py: the page table that walker and driver of a bench share."""
from __future__ import annotations

from typing import Callable, Dict, List, NamedTuple, Optional


class Page(NamedTuple):
    """A page of an address space."""
    asid: int
    vpn: int


class PageTable:
    """Which page is in which frame. The driver maps and unmaps, the walker looks up."""

    def __init__(self) -> None:
        self.frame_of: Dict[Page, int] = {}
        self.page_of: Dict[int, Page] = {}
        self.dirty: Dict[int, bool] = {}
        """of each frame with a page: the page was written since it came"""
        self.on_map: List[Callable[[Page, int], None]] = []
        """called with (page, frame) behind each `map`"""
        self.on_unmap: List[Callable[[Page, int], None]] = []
        """called with (page, frame) behind each `unmap`"""

    def frame(self, page: Page) -> Optional[int]:
        """Frame of the page, or None."""
        return self.frame_of.get(page)

    def page(self, frame: int) -> Optional[Page]:
        """Page of the frame, or None."""
        return self.page_of.get(frame)

    def map(self, page: Page, frame: int, dirty: bool = False) -> None:
        """The page is in the frame from now on. ValueError: the frame holds another page, or the page is in another frame."""
        if frame in self.page_of:
            raise ValueError(f"page table: found frame {frame} with {self.page_of[frame]}, expected an empty frame for {page}")
        if page in self.frame_of:
            raise ValueError(f"page table: found {page} in frame {self.frame_of[page]}, expected the page in no frame before it comes into frame {frame}")
        self.frame_of[page], self.page_of[frame], self.dirty[frame] = frame, page, dirty
        for call in self.on_map:
            call(page, frame)

    def unmap(self, frame: int) -> bool:
        """The frame's page leaves. True: the page was written. ValueError: the frame holds none."""
        if frame not in self.page_of:
            raise ValueError(f"page table: found frame {frame} empty, expected a page that leaves")
        page = self.page_of.pop(frame)
        del self.frame_of[page]
        dirty = self.dirty.pop(frame)
        for call in self.on_unmap:
            call(page, frame)
        return dirty

    def store(self, page: Page) -> None:
        """A store to the page, which is in a frame."""
        self.dirty[self.frame_of[page]] = True
