using System;
using System.Collections.Concurrent;
using System.Linq;
using System.Net.Http;
using System.Threading.Tasks;

/// <summary>Asks a service COUNT times, IN_FLIGHT requests at a time, and keeps the answers: what a program without a flow
/// does. <c>cargo xtask bench later</c> runs it.</summary>
internal static class Plain
{
    private static async Task<int> Main(string[] args)
    {
        (string url, int count, int inFlight) = (args[0], int.Parse(args[1]), int.Parse(args[2]));
        using var client = new HttpClient(new SocketsHttpHandler { MaxConnectionsPerServer = inFlight });
        var answers = new ConcurrentDictionary<string, string>();
        var options = new ParallelOptions { MaxDegreeOfParallelism = inFlight };
        await Parallel.ForEachAsync(Enumerable.Range(1, count), options, async (key, cancel) =>
            answers[key.ToString()] = await client.GetStringAsync($"{url}/{key}", cancel));
        return answers.Count == count ? 0 : 1;
    }
}
