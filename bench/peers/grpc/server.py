"""The handler in Python, as a server of grpcio: the argument names its socket in the abstract namespace.

Messages and service are what grpcio-tools makes of `handlers.proto` when this starts, with protobuf's own implementation
in C below them: nothing is written by hand, and nothing generated is in the repository.
"""

import sys
from concurrent.futures import ThreadPoolExecutor

import grpc

messages, services = grpc.protos_and_services("handlers.proto")


class Handler(services.HandlerServicer):
    def OnBatch(self, batch, context):
        return messages.Answers(values=[item.key[-8:] + item.value[:8] for item in batch.items])


def main(socket: str) -> None:
    # Two threads make more of eight calls at a time than one, or eight, or asyncio.
    server = grpc.server(ThreadPoolExecutor(max_workers=2))
    services.add_HandlerServicer_to_server(Handler(), server)
    server.add_insecure_port(f"unix-abstract:{socket}")
    server.start()
    print("ready", flush=True)
    server.wait_for_termination()


main(sys.argv[1])
