using System;
using System.Collections.Generic;
using System.Threading;

namespace Upcall.Mpi;

/// <summary>Requests that are waited for together.</summary>
public sealed class RequestList
{
    private readonly List<Request> requests = [];

    /// <summary>How many there are.</summary>
    public int Count => requests.Count;

    /// <summary>Adds one.</summary>
    public void Add(Request request) => requests.Add(request);

    /// <summary>Removes one, which goes on.</summary>
    public void Remove(Request request) => requests.Remove(request);

    /// <summary>Waits for all of them, which are taken out.</summary>
    /// <returns>All of them, in the order in which they were added.</returns>
    /// <exception cref="MpiException">The first that has failed, when all have ended.</exception>
    public List<Request> WaitAll()
    {
        MpiException? first = null;
        foreach (Request request in requests)
        {
            try
            {
                request.Wait();
            }
            catch (MpiException exception)
            {
                first ??= exception;
            }
        }
        List<Request> all = [.. requests];
        requests.Clear();
        return first == null ? all : throw first;
    }

    /// <summary>Waits for the first that ends, and takes it out.</summary>
    /// <exception cref="InvalidOperationException">There is none.</exception>
    /// <exception cref="MpiException">It has failed.</exception>
    public Request WaitAny()
    {
        if (requests.Count == 0)
        {
            throw new InvalidOperationException("wait for a request: the list has none");
        }
        while (true)
        {
            if (TestAny() is { } request)
            {
                return request;
            }
            Thread.Yield();
        }
    }

    /// <summary>Takes one out that has ended; null where none has.</summary>
    /// <exception cref="MpiException">It has failed.</exception>
    public Request? TestAny()
    {
        for (int index = 0; index < requests.Count; index++)
        {
            Request request = requests[index];
            bool ended = true;
            try
            {
                ended = request.Test() != null;
            }
            finally
            {
                if (ended)
                {
                    requests.RemoveAt(index);
                }
            }
            if (ended)
            {
                return request;
            }
        }
        return null;
    }

    /// <summary>All of them, taken out, where all have ended; else null.</summary>
    /// <exception cref="MpiException">One has failed, and is taken out.</exception>
    public List<Request>? TestAll()
    {
        foreach (Request request in requests)
        {
            bool failed = true;
            try
            {
                Status? status = request.Test();
                failed = false;
                if (status == null)
                {
                    return null;
                }
            }
            finally
            {
                if (failed)
                {
                    requests.Remove(request);
                }
            }
        }
        return WaitAll();
    }

    /// <summary>Waits until one has ended, and takes all out that have.</summary>
    /// <exception cref="InvalidOperationException">There is none.</exception>
    /// <exception cref="MpiException">One has failed, and is taken out.</exception>
    public List<Request> WaitSome()
    {
        List<Request> ended = [WaitAny()];
        ended.AddRange(TestSome());
        return ended;
    }

    /// <summary>Takes all out that have ended.</summary>
    /// <exception cref="MpiException">One has failed, and is taken out.</exception>
    public List<Request> TestSome()
    {
        List<Request> ended = [];
        while (TestAny() is { } request)
        {
            ended.Add(request);
        }
        return ended;
    }
}
