"""Makes HTTP calls through IOCluster, over Kafka, RabbitMQ or the door."""

from .client import Client, QueueClient
from .door import DoorClient
from .errors import (
    CallTimeoutError,
    ClientClosedError,
    ClientFullError,
    DoorError,
    IoClusterError,
    NotEnqueuedError,
    UnreadableAnswerError,
)
from .messages import Answer, Branch, CacheUse, CallError, Envelope, Retry, Timing, Usable, UsableJson
from .pending import PendingCall

__version__ = "0.1.0.dev0"
__all__ = [
    "Answer", "Branch", "CacheUse", "CallError", "CallTimeoutError", "Client", "ClientClosedError", "ClientFullError",
    "DoorClient", "DoorError", "Envelope", "IoClusterError", "NotEnqueuedError", "PendingCall", "QueueClient",
    "Retry", "Timing", "UnreadableAnswerError", "Usable", "UsableJson",
]
