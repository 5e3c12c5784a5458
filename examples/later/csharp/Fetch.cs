using System;
using System.Net.Http;
using System.Threading.Tasks;
using Upcall;

namespace Later;

/// <summary>Asks a service for each key, and emits what it answers.</summary>
public sealed class Fetch : IAsyncObjectHandler, IOpen, IDescribe, IDisposable
{
    private const string Local = "http://127.0.0.1:8080";

    // One for all objects, which share its connections. The flow knows how many are open at a time, and for how long.
    private readonly HttpClient client = new(new SocketsHttpHandler { MaxConnectionsPerServer = int.MaxValue })
    {
        Timeout = System.Threading.Timeout.InfiniteTimeSpan,
    };

    private string url = Local;

    /// <inheritdoc/>
    public void Describe(Description about) => about.Parameter("url", "text", Local);

    /// <inheritdoc/>
    public void OnOpen(OpenContext open) => url = open.Setting("url") ?? Local;

    /// <inheritdoc/>
    public async ValueTask OnObject(AsyncObject obj, AsyncEmitter emit)
    {
        byte[] answer = await client.GetByteArrayAsync($"{url}/{Uri.EscapeDataString(obj.KeyText)}", obj.Cancellation);
        emit.Put(obj.Key, answer);
    }

    /// <inheritdoc/>
    public void Dispose() => client.Dispose();
}
