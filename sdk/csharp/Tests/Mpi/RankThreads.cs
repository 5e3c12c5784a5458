using System;
using System.Threading;
using Upcall.Mpi;

namespace Upcall.Tests;

/// <summary>What another thread uses while this one disposes it.</summary>
public static class RankThreads
{
    [RankTest]
    public static void A_communicator_is_disposed_while_another_thread_uses_it(Communicator world)
    {
        for (int round = 0; round < 100; round++)
        {
            Communicator comm = world.Duplicate();
            using var used = new Used(() => _ = comm.ImmediateProbe(Communicator.AnySource, 1));
            comm.Dispose();
            used.Ends();
            Expect.Throws<ObjectDisposedException>(comm.Barrier);
        }
        world.Barrier();
    }

    [RankTest]
    public static void An_operation_is_disposed_while_another_thread_uses_it(Communicator world)
    {
        // There is room for 64 at a time.
        for (int round = 0; round < 150; round++)
        {
            var operation = new Operation<int>((a, b) => a + b);
            using var used = new Used(() => _ = Communicator.Self.Allreduce(1, operation));
            operation.Dispose();
            used.Ends();
        }
        world.Barrier();
    }

    [RankTest]
    public static void A_message_and_a_request_are_disposed_while_another_thread_uses_them(Communicator world)
    {
        for (int round = 0; round < 50; round++)
        {
            using Request sent = world.ImmediateSend(round, world.Rank, 5);
            Message message = world.Matched(world.Rank, 5);
            using (var used = new Used(() => _ = message.Receive<int>()))
            {
                message.Dispose();
                used.Ends();
            }
            sent.Wait();
            Request waits = world.ImmediateReceive<int>(world.Rank, 6);
            using (var used = new Used(() => _ = waits.Test()))
            {
                waits.Dispose();
                used.Ends();
            }
        }
        world.Barrier();
    }

    /// <summary>A thread that makes a call again and again, until what it uses was disposed.</summary>
    private sealed class Used : IDisposable
    {
        private readonly Thread thread;
        private volatile int calls;
        private volatile bool isOver;

        internal Used(Action call)
        {
            thread = new Thread(() =>
            {
                while (!isOver)
                {
                    try
                    {
                        call();
                    }
                    catch (ObjectDisposedException)
                    {
                        isOver = true;
                    }
                    catch (MpiException refused) when (refused.Error is MpiError.Usage or MpiError.Lifecycle)
                    {
                        // A thread that may not call MPI, a message that was received before, or a call that was on its way.
                    }
                    calls++;
                }
            });
            thread.Start();
            while (calls == 0)
            {
                Thread.Yield();
            }
        }

        /// <summary>It hears of it, but where it has received the message itself.</summary>
        internal void Ends()
        {
            int before = calls;
            while (!isOver && calls < before + 2)
            {
                Thread.Yield();
            }
        }

        public void Dispose()
        {
            isOver = true;
            thread.Join();
        }
    }
}
