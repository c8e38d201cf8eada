"""Which outputs do the recurrent layers give?"""

import torch
from torch import nn

from harness.experiments.support import literal, observe


def run(variant: str) -> None:
    """Run a layer with literal weights over a sequence of four steps."""
    layer: nn.RNNBase = {
        "lstm": lambda: nn.LSTM(3, 5, batch_first=True),
        "gru": lambda: nn.GRU(3, 5, batch_first=True),
        "rnn_tanh": lambda: nn.RNN(3, 5, batch_first=True),
        "rnn_relu": lambda: nn.RNN(3, 5, batch_first=True, nonlinearity="relu"),
        "lstm_bidirectional": lambda: nn.LSTM(3, 5, batch_first=True, bidirectional=True),
    }[variant]()
    with torch.no_grad():
        for step, parameter in enumerate(layer.parameters(), 2):
            parameter.copy_(literal(*parameter.shape, step=step) / 2)
    x = literal(2, 4, 3).requires_grad_()

    out, _ = layer(x)
    out.square().sum().backward()

    observe("out", out)
    if x.grad is not None:
        observe("gradient", x.grad)
    observe("names", ", ".join(name for name, _ in layer.named_parameters()))
