"""A walk down the tree of legal moves: what has been chosen of a move, and what may come next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...spec.move import Move
from ...view.tree import Effects, Node, Step

_LANDINGS = ("go", "capture")


class Walk:
    """The move that is being composed. It knows squares and steps, and no rule.

    Example:
        >>> import komadai
        >>> from komadai.view.steps import Step, step_tree
        >>> walk = Walk(step_tree(komadai.Position("shogi")))
        >>> walk.down(walk.select("7g"))
        >>> [str(step.at) for step in walk.children]
        ['7f']
        >>> walk.down(walk.at("7f")[0])
        >>> str(walk.move)
        '7g7f'
    """

    def __init__(self, root: Node) -> None:
        """``root``: the tree of :func:`komadai.view.steps.step_tree`; without children where nothing may be moved."""
        self.root = root
        self._path: list[tuple[Step, Node]] = []
        self._forced: set[int] = set()  # which steps nobody chose, there being nothing else
        self._losses: dict[int, frozenset[str]] = {}
        self._only: dict[int, Node | None] = {}

    # --- The state of the walk ---

    @property
    def path(self) -> tuple[Step, ...]:
        """The steps taken so far."""
        return tuple(step for step, _ in self._path)

    @property
    def _node(self) -> Node:
        return self._path[-1][1] if self._path else self.root

    @property
    def children(self) -> Mapping[Step, Node]:
        """The possible next steps, in display order."""
        return self._node.children

    @property
    def last(self) -> Step | None:
        """The step taken last."""
        return self._path[-1][0] if self._path else None

    @property
    def move(self) -> Move | None:
        """The move, once the path has reached a leaf."""
        return self._node.move

    @property
    def effects(self) -> Effects:
        """The effects of the move, at a leaf of the tree."""
        return self._node.effects

    @property
    def origin(self) -> str | None:
        """The square of the piece on the board that has been taken up."""
        return self._path[0][0].at if self._path else None

    @property
    def underway(self) -> bool:
        """True if the piece has landed or shot and may go on to other squares."""
        last = self.last
        moved = len(self._path) > 1 and last is not None and last.t in (*_LANDINGS, "shoot")
        return moved and any(step.at is not None for step in self.children)

    @property
    def ends(self) -> list[Step]:
        """The ways to end a move under way here."""
        return [step for step in self.children if step.at is None] if self.underway else []

    @property
    def choosing(self) -> bool:
        """True if the next step chooses a kind rather than a square."""
        return bool(self._path and self.children) and all(step.at is None for step in self.children)

    @property
    def goal(self) -> str | None:
        """The square of the piece's latest landing."""
        return next((step.at for step in reversed(self.path) if step.t in _LANDINGS), None)

    @property
    def here(self) -> str | None:
        """The present square of the moving piece: its latest landing, or its origin."""
        return self.goal or self.origin

    @property
    def taken(self) -> list[str]:
        """The squares where pieces have been taken on the way."""
        return [step.at for step in self.path if step.at and step.t in ("capture", "shoot")]

    @property
    def landings(self) -> list[str]:
        """The squares where the piece has landed, in order."""
        return [step.at for step in self.path if step.at and step.t in _LANDINGS]

    @property
    def text(self) -> str:
        """The beginning of the move string, as far as squares and the piece go: ``7g``, ``P*``."""
        text = ""
        for step in self.path:
            if step.t in ("drop", "face"):
                text = f"{step.code}*"
            elif step.at:
                text += f"*{step.at}" if step.t == "shoot" else step.at
        return text

    # --- What a step would lead to ---

    def losses(self, step: Step) -> frozenset[str]:
        """The squares of the mover's own pieces that every move beginning with this next step costs."""
        return self._common(self.children[step])

    def _common(self, node: Node) -> frozenset[str]:
        if id(node) not in self._losses:
            below = [self._common(child) for child in node.children.values()]
            self._losses[id(node)] = frozenset.intersection(*below) if below else frozenset(node.effects.loses)
        return self._losses[id(node)]

    def only(self, step: Step) -> Node | None:
        """The leaf of the only move that begins with this next step, ``None`` where there are several."""
        return self._single(self.children[step])

    def _single(self, node: Node) -> Node | None:
        if not node.children:
            return node
        if id(node) not in self._only:
            first, *others = [self._single(child) for child in node.children.values()]
            same = first is not None and all(other is not None and other.move == first.move for other in others)
            self._only[id(node)] = first if same else None
        return self._only[id(node)]

    def far(self) -> dict[str, tuple[Step, ...]]:
        """The squares more than one landing away at which just one move ends that takes and costs nothing more.

        Each comes with the steps that lead there.
        """
        found: dict[str, tuple[Move, tuple[Step, ...]] | None] = {}
        open_: list[tuple[Node, tuple[Step, ...]]] = [(self._node, ())] if self._path else []
        seen = {id(self._node)}
        for node, way in open_:
            for step, child in node.children.items():
                if step.t != "go" or step.at is None:
                    continue
                to = (*way, step)
                for move, whole in self._quiet_ends(child, to):
                    known = found.setdefault(step.at, (move, whole))
                    if known is not None and known[0] != move:
                        found[step.at] = None
                if child.children and id(child) not in seen:
                    seen.add(id(child))
                    open_.append((child, to))
        near = {self.origin, self.here, *(step.at for step in self.children)}
        return {square: only[1] for square, only in found.items() if only is not None and square not in near}

    def _quiet_ends(self, node: Node, way: tuple[Step, ...]) -> Iterator[tuple[Move, tuple[Step, ...]]]:
        """The moves that may end at a node without taking or costing anything more, with their steps."""
        ends = [(leaf, (*way, step)) for step, leaf in node.children.items() if step.at is None] or [(node, way)]
        for leaf, whole in ends:
            if leaf.move is not None and self._quiet(leaf):
                yield leaf.move, whole

    # --- Walking ---

    def down(self, step: Step | None) -> None:
        """Take one of the next steps; nothing happens where there is none."""
        if step is not None:
            self._path.append((step, self.children[step]))

    def advance(self) -> None:
        """A move under way that can only go on to one square goes there, unless that brings or costs something."""
        while self.underway and len(self.children) == 1:
            ((step, node),) = self.children.items()
            if step.t != "go" or not (node.children or self._quiet(node)):
                return
            self._forced.add(len(self._path))
            self._path.append((step, node))

    def _quiet(self, leaf: Node) -> bool:
        effects = leaf.effects
        gone = leaf.move is None or leaf.move.piece is None
        return not (
            gone
            or effects.loses
            or effects.burns
            or effects.turns
            or effects.notes
            or set(effects.captures) - set(self.taken)
        )

    def up(self) -> None:
        """Undo one step; what followed it by itself goes with it."""
        while self._path:
            self._path.pop()
            if len(self._path) not in self._forced:
                return
            self._forced.discard(len(self._path))

    def reset(self) -> None:
        """Undo all steps."""
        self._path.clear()
        self._forced.clear()

    def at(self, square: str) -> list[Step]:
        """The next steps that lie at a square."""
        return [step for step in self.children if step.at == square]

    def select(self, square: str) -> Step | None:
        """The first step that takes up the piece on a square."""
        return next((step for step in self.root.children if step.t == "select" and step.at == square), None)

    def drops(self) -> list[Step]:
        """The first steps that take a piece from the hand."""
        return [step for step in self.root.children if step.t == "drop"]
