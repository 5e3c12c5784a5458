using System.Text;
using Upcall.Abi;

namespace Upcall;

/// <summary>Logs under the handler's name, into the engine's log. For the handler's own thread.</summary>
public sealed unsafe class Log
{
    private Services* services;

    internal Log(Services* services) => this.services = services;

    /// <summary>Something failed.</summary>
    public void Error(string text) => Write(Level.Error, text);

    /// <summary>Something looks wrong.</summary>
    public void Warn(string text) => Write(Level.Warn, text);

    /// <summary>Something worth telling.</summary>
    public void Info(string text) => Write(Level.Info, text);

    /// <summary>For whoever debugs the handler.</summary>
    public void Debug(string text) => Write(Level.Debug, text);

    /// <summary>After CLOSE the engine no longer listens: whoever kept the log writes into nothing.</summary>
    internal void Close() => services = null;

    private void Write(uint level, string text)
    {
        if (services == null)
        {
            return;
        }
        byte[] bytes = Encoding.UTF8.GetBytes(text);
        fixed (byte* pointer = bytes)
        {
            services->Log(services->Context, level, pointer, (ulong)bytes.Length);
        }
    }
}
