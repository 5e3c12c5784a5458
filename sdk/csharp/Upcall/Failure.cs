using System;
using System.Text;
using System.Text.Unicode;
using Upcall.Abi;

namespace Upcall;

/// <summary>Describes an exception in an error slot.</summary>
internal static unsafe class Failure
{
    internal static void Write(FrameHead* frame, uint item, Exception exception) =>
        Write(ref frame->Error, frame->Base[Base.Output], item, exception);

    /// <summary>Writes type, message and stack, cutting what does not fit at a character's boundary.</summary>
    internal static void Write(ref ErrorSlot slot, ulong origin, uint item, Exception exception)
    {
        string type = exception.GetType().FullName ?? exception.GetType().Name;
        Write(ref slot, origin, item, type, Message(exception), Stack(exception));
    }

    internal static void Write(
        ref ErrorSlot slot, ulong origin, uint item, string type, string message, string stack)
    {
        var room = new Span<byte>((void*)(origin + slot.Text.Offset), (int)Math.Min(slot.Text.Len, int.MaxValue));
        slot.TypeLen = Append(ref room, type);
        slot.MessageLen = Append(ref room, message);
        slot.StackLen = Append(ref room, stack);
        slot.Item = item;
    }

    private static uint Append(ref Span<byte> room, string text)
    {
        // Stops before a character that does not fit, and replaces half surrogates.
        Utf8.FromUtf16(text, room, out _, out int written);
        room = room[written..];
        return (uint)written;
    }

    /// <summary>What an exception says; it may be of a class that throws when it is asked.</summary>
    internal static string Message(Exception exception)
    {
        try
        {
            return exception.Message;
        }
        catch (Exception second)
        {
            return $"its message cannot be read: {second.GetType().FullName}";
        }
    }

    /// <summary>Where it was thrown, then each cause with where that was thrown; nothing where they throw when asked.</summary>
    internal static string Stack(Exception exception)
    {
        try
        {
            var text = new StringBuilder(exception.StackTrace);
            for (Exception? cause = exception.InnerException; cause != null; cause = cause.InnerException)
            {
                text.Append($"\ncaused by {cause.GetType().FullName}: {cause.Message}\n{cause.StackTrace}");
            }
            return text.ToString();
        }
        catch (Exception)
        {
            return "";
        }
    }
}
