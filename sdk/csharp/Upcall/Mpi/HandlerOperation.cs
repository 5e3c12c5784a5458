using System;
using System.Collections.Generic;
using Upcall.Hosting;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <summary>Loads handlers that are operations.</summary>
internal static unsafe class HandlerOperation
{
    /// <summary>An operation on elements of a type, by a handler that is named as a flow's file names it.</summary>
    internal static UpcallMpiOperation* Load<T>(
        string guest, string file, string @class, IReadOnlyDictionary<string, string>? settings, bool isolated)
    {
        if (!Plain<T>.Is)
        {
            throw new MpiException(
                MpiError.Usage, $"make an operation of handler {@class}: {typeof(T)} is no unmanaged type, whose values are memory");
        }
        Library.Find();
        Native.Failure* failed = null;
        UpcallCombineHandler* handler;
        byte[] of = WellFormed.Bytes(guest), at = WellFormed.Bytes(file), named = WellFormed.Bytes(@class);
        fixed (byte* first = of, second = at, third = named)
        {
            handler = upcall_combine_handler_new(
                Given.Text(first, of.Length), Given.Text(second, at.Length), Given.Text(third, named.Length), &failed);
        }
        MpiException.Check(failed);
        try
        {
            foreach ((string name, string value) in settings ?? new Dictionary<string, string>())
            {
                Set(handler, name, value);
            }
            if (isolated)
            {
                upcall_combine_handler_isolate(handler, &failed);
                MpiException.Check(failed);
            }
            fixed (byte* own = "csharp"u8)
            {
                upcall_combine_handler_program(handler, Given.Text(own, "csharp"u8.Length), Exports.Own, UpcallThreadsOwn, &failed);
            }
            MpiException.Check(failed);
            byte[] element = WellFormed.Bytes(FormName.Of(typeof(T)));
            fixed (byte* name = element)
            {
                UpcallMpiOperation* made = upcall_combine_handler_operation(
                    handler, Given.Text(name, element.Length), (nuint)Plain<T>.Size, &failed);
                MpiException.Check(failed);
                return made;
            }
        }
        finally
        {
            upcall_combine_handler_release(handler);
        }
    }

    private static void Set(UpcallCombineHandler* handler, string name, string value)
    {
        Native.Failure* failed = null;
        byte[] key = WellFormed.Bytes(name), text = WellFormed.Bytes(value);
        fixed (byte* first = key, second = text)
        {
            upcall_combine_handler_setting(handler, Given.Text(first, key.Length), Given.Text(second, text.Length), &failed);
        }
        MpiException.Check(failed);
    }
}
