"""Networks of PyTorch as evaluators of searches, and the network files of the program `banyan`.

    net = banyan.torch.Net.load("weights/othello.safetensors")
    search = banyan.Search("othello", banyan.torch.evaluator(net), batch=8)

Any module can be used whose forward(observations) returns (values, logits) as banyan.learn describes them.  Net is
the network of `banyan train`; it reads and writes the program's files.
"""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Callable
from typing import Any

import numpy
import torch
import torch.nn.functional as F

from banyan import learn
from banyan._core import BanyanError, Game, game
from banyan.evaluator import Evaluator

__all__ = ["Net", "Samples", "evaluator", "loss", "network"]

_DEFAULTS: dict[str, Any] = {
    "values": 1,
    "channels": 32,
    "blocks": 2,
    "norm": "weight",
    "head_norm": "off",
    "pool": 0,
    "policy_head": "full",
    "policy_channels": 4,
    "value_channels": 4,
    "value_hidden": 32,
    "owner": "off",
    "score": "off",
}
_GIVEN = ("planes", "height", "width", "actions")
Samples = learn.Samples


def network(module: torch.nn.Module, device: str | torch.device = "cpu") -> Callable[[Any], tuple[Any, Any]]:
    """A function for banyan.learn that calls the module; it takes and returns arrays of NumPy."""
    module = module.to(device)

    def run(observations: Any) -> tuple[Any, Any]:
        module.eval()
        with torch.inference_mode():
            values, logits = module(torch.from_numpy(numpy.ascontiguousarray(observations)).to(device))
        return values.float().cpu().numpy(), logits.float().cpu().numpy()

    return run


def evaluator(module: torch.nn.Module, device: str | torch.device = "cpu") -> Evaluator:
    """An evaluator for Search() that calls the module with a batch of leaves, for values and a policy."""
    return learn.evaluator(network(module, device))


def loss(module: torch.nn.Module, samples: Samples) -> torch.Tensor:
    """The cross-entropy of the policies plus the squared error of the values, as means over the samples."""
    device = next(module.parameters()).device
    observations, policies, wanted = (
        torch.from_numpy(numpy.ascontiguousarray(part)).to(device)
        for part in (samples.observations, samples.policies, samples.values)
    )
    values, logits = module(observations)
    values = values.reshape(len(samples), -1)
    squares = ((values - wanted[:, : values.shape[1]]) ** 2).sum(1).mean()
    return squares - (policies * F.log_softmax(logits, 1)).sum(1).mean()


class _Conv(torch.nn.Module):
    """A convolution whose weights may be standardised for each output channel."""

    def __init__(self, ins: int, outs: int, kernel: int, norm: str) -> None:
        super().__init__()
        self.norm, self.kernel = norm, kernel
        self.weight = torch.nn.Parameter(torch.randn(outs, ins, kernel, kernel) / (ins * kernel * kernel) ** 0.5)
        self.bias = torch.nn.Parameter(torch.zeros(outs))
        if norm != "none":
            self.gain = torch.nn.Parameter(torch.ones(outs))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        weight = self.weight
        if self.norm == "weight":
            weight = weight - weight.mean(dim=(1, 2, 3), keepdim=True)
            weight = weight / torch.sqrt((weight * weight).sum(dim=(1, 2, 3), keepdim=True) + 1e-5)
            weight = weight * self.gain.view(-1, 1, 1, 1)
        return F.conv2d(x, weight, self.bias, padding=self.kernel // 2)


class _Block(torch.nn.Module):
    def __init__(self, channels: int, norm: str, pooled: bool) -> None:
        super().__init__()
        self.first = _Conv(channels, channels, 3, norm)
        self.second = _Conv(channels, channels, 3, norm)
        self.pool = torch.nn.Linear(2 * channels, channels) if pooled else None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        r = F.relu(self.first(x))
        y: torch.Tensor = self.second(r) + x
        if self.pool is not None:
            y = y + self.pool(torch.cat([r.mean(dim=(2, 3)), r.amax(dim=(2, 3))], 1))[:, :, None, None]
        return F.relu(y)


def _flat(x: torch.Tensor) -> torch.Tensor:
    return x.permute(0, 2, 3, 1).flatten(1)


class _Pairs(torch.nn.Module):
    """The cells and biases of a policy head whose actions are pairs of cells."""

    def __init__(self, actions: int) -> None:
        super().__init__()
        self.bias = torch.nn.Parameter(torch.zeros(actions))
        self.register_buffer("cells", torch.zeros(actions, 2))


class _Policy(torch.nn.Module):
    def __init__(self, arch: dict[str, Any], norm: str) -> None:
        super().__init__()
        self.channels = arch["policy_channels"]
        if arch["policy_head"] == "full":
            self.conv = _Conv(arch["channels"], self.channels, 1, norm)
            self.full = torch.nn.Linear(arch["height"] * arch["width"] * self.channels, arch["actions"])
        else:
            self.embed = _Conv(arch["channels"], 2 * self.channels, 1, norm)
            self.pairs = _Pairs(arch["actions"])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if hasattr(self, "full"):
            logits: torch.Tensor = self.full(_flat(F.relu(self.conv(x))))
            return logits
        e = self.embed(x).permute(0, 2, 3, 1).flatten(1, 2)
        u, v = torch.cat([e, e.mean(dim=1, keepdim=True)], 1).chunk(2, dim=2)
        cells = self.pairs.cells.long()
        return (u[:, cells[:, 0]] * v[:, cells[:, 1]]).sum(2) / self.channels**0.5 + self.pairs.bias


class _Value(torch.nn.Module):
    def __init__(self, arch: dict[str, Any], norm: str) -> None:
        super().__init__()
        self.conv = _Conv(arch["channels"], arch["value_channels"], 1, norm)
        self.hidden = torch.nn.Linear(arch["height"] * arch["width"] * arch["value_channels"], arch["value_hidden"])
        self.out = torch.nn.Linear(arch["value_hidden"], arch["values"])

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        hidden = F.relu(self.hidden(_flat(F.relu(self.conv(x)))))
        return torch.tanh(self.out(hidden)), hidden


class Net(torch.nn.Module):
    """The network of `banyan train`: a residual tower, a policy head and a value head.

    arch: as the program writes it, such as "channels=64,blocks=6"; Net.of(game, arch) adds the sizes from the game.
    The names in state_dict() are those of the files.
    """

    def __init__(self, arch: str) -> None:
        super().__init__()
        self.arch = self._read(arch)
        a, norm = self.arch, self.arch["norm"]
        head = norm if a["head_norm"] == "on" else "none"
        self.stem = _Conv(a["planes"], a["channels"], 3, norm)
        for i in range(a["blocks"]):
            pooled = bool(a["pool"]) and (i + 1) % a["pool"] == 0
            self.add_module(f"block{i}", _Block(a["channels"], norm, pooled))
        self.policy = _Policy(a, head)
        self.value = _Value(a, head)
        if a["score"] == "on":
            self.score = torch.nn.ModuleDict({"out": torch.nn.Linear(a["value_hidden"], 1)})
        if a["owner"] == "on":
            self.owner = torch.nn.ModuleDict({"conv": _Conv(a["channels"], 1, 1, head)})

    @staticmethod
    def _read(text: str) -> dict[str, Any]:
        arch = dict(_DEFAULTS)
        for part in filter(None, text.split(",")):
            key, _, value = part.partition("=")
            key = key.replace("-", "_")
            if key not in _DEFAULTS and key not in _GIVEN:
                raise BanyanError(f"an architecture has no '{key}'; it has {', '.join([*_GIVEN, *_DEFAULTS])}")
            arch[key] = int(value) if value.isdigit() else value
        missing = [key for key in _GIVEN if key not in arch]
        if missing:
            raise BanyanError(f"the architecture lacks '{missing[0]}', which the game gives: Net.of(game, arch)")
        if arch["norm"] not in ("weight", "none"):
            raise BanyanError(f"banyan.torch has norm=weight and norm=none, not norm={arch['norm']}")
        return arch

    @classmethod
    def of(cls, name: Game | str, arch: str = "") -> Net:
        """A new network for a game."""
        rules = game(name)
        if rules.planes is None or not rules.policy_size:
            raise BanyanError(f"no network can play {rules.name}: the game has no planes or no policy head")
        planes, height, width = rules.planes
        values = 1 if rules.players == 2 and "zero-sum" in rules.traits else rules.players
        own = f"planes={planes},height={height},width={width},actions={rules.policy_size},values={values}"
        return cls(",".join(filter(None, [own, arch])))

    def forward(self, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """(values, logits) of planes[n][C][H][W]."""
        x = F.relu(self.stem(planes))
        for i in range(self.arch["blocks"]):
            x = self.get_submodule(f"block{i}")(x)
        return self.value(x)[0], self.policy(x)

    @property
    def arch_text(self) -> str:
        """The architecture as the program writes it."""
        return ",".join(f"{key}={value}" for key, value in self.arch.items())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Net:
        """Reads a file that the program or save() has written."""
        tensors, notes = read_safetensors(path)
        net = cls(notes.get("arch") or notes.get("network") or "")
        state = {}
        for name in net.state_dict():
            if name not in tensors:
                raise BanyanError(f"{os.fspath(path)} has no tensor '{name}', which its architecture needs")
            tensor = torch.from_numpy(tensors[name].copy())
            state[name] = tensor.permute(0, 3, 1, 2) if tensor.dim() == 4 else tensor
        net.load_state_dict(state)
        return net

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a file that load() reads, and that plays in the program as the player `net:PATH`."""
        tensors = {}
        for name, tensor in self.state_dict().items():
            tensor = tensor.detach().float().cpu()
            tensors[name] = (tensor.permute(0, 2, 3, 1) if tensor.dim() == 4 else tensor).contiguous().numpy()
        write_safetensors(path, tensors, {"network": self.arch_text})


def read_safetensors(path: str | os.PathLike[str]) -> tuple[dict[str, Any], dict[str, str]]:
    """({name: array}, metadata) of a file with tensors of fp32."""
    with open(os.fspath(path), "rb") as file:
        data = file.read()
    try:
        size = struct.unpack_from("<Q", data)[0]
        header = json.loads(data[8 : 8 + size])
        notes = header.pop("__metadata__", {})
        tensors = {}
        for name, entry in header.items():
            begin, end = (8 + size + at for at in entry["data_offsets"])
            if entry["dtype"] != "F32":
                raise ValueError(f"tensor '{name}' is {entry['dtype']}, not F32")
            tensors[name] = numpy.frombuffer(data[begin:end], "<f4").reshape(entry["shape"])
    except (ValueError, KeyError, TypeError, AttributeError, struct.error) as error:
        raise BanyanError(f"{os.fspath(path)} is not a safetensors file that can be used: {error}") from None
    return tensors, notes


def write_safetensors(path: str | os.PathLike[str], tensors: dict[str, Any], notes: dict[str, str]) -> None:
    """Writes tensors of fp32; an existing file is replaced only when the new one is complete."""
    header: dict[str, Any] = {"__metadata__": notes}
    arrays = [numpy.ascontiguousarray(tensor, "<f4") for tensor in tensors.values()]
    at = 0
    for name, array in zip(tensors, arrays, strict=True):
        header[name] = {"dtype": "F32", "shape": list(array.shape), "data_offsets": [at, at + array.nbytes]}
        at += array.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    partial = f"{os.fspath(path)}.tmp"
    with open(partial, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for array in arrays:
            file.write(array.tobytes())
    os.replace(partial, path)
