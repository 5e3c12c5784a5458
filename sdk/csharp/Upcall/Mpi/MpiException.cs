using System;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <summary>Why MPI did not do what it was asked.</summary>
public enum MpiError
{
    /// <summary>There is no MPI, or no compiler of its own.</summary>
    Missing,

    /// <summary>The MPI cannot be loaded or started.</summary>
    Load,

    /// <summary>MPI was not started, was started before in this process, or has been finalized.</summary>
    Lifecycle,

    /// <summary>A call that the thread level, or the shape of what it was given, does not allow.</summary>
    Usage,

    /// <summary>There is no such rank in the communicator.</summary>
    Rank,

    /// <summary>A tag that is negative or too large.</summary>
    Tag,

    /// <summary>A message was larger than the room for it.</summary>
    Truncated,

    /// <summary>What has arrived is of another size or form than what was asked for.</summary>
    Type,

    /// <summary>More elements than the MPI can count.</summary>
    Count,

    /// <summary>An operation failed; what it threw on this rank is the inner exception.</summary>
    Operation,

    /// <summary>A process has died.</summary>
    ProcessFailed,

    /// <summary>The MPI in use does not have it.</summary>
    Unsupported,

    /// <summary>A place outside of a window or file.</summary>
    Range,

    /// <summary>There is no such file.</summary>
    NotFound,

    /// <summary>There is such a file already.</summary>
    Exists,

    /// <summary>A file may not be read or written so.</summary>
    Access,

    /// <summary>The disk is full.</summary>
    NoSpace,

    /// <summary>A file could not be read or written.</summary>
    Io,

    /// <summary>A call outside of an epoch, or in the wrong one; or MPI is to be finalized within one.</summary>
    Synchronization,

    /// <summary>There is no room for a buffered send.</summary>
    Buffer,

    /// <summary>The communicator was revoked.</summary>
    Revoked,

    /// <summary>A process could not be started.</summary>
    Spawn,

    /// <summary>There is no such port or service.</summary>
    Port,

    /// <summary>The message has MPI's own words.</summary>
    Other,
}

/// <summary>MPI did not do what it was asked.</summary>
public sealed class MpiException : Exception
{
    internal MpiException(MpiError error, string message, Exception? inner = null)
        : base(message, inner) => Error = error;

    /// <summary>What kind of failure it is.</summary>
    public MpiError Error { get; }

    /// <summary>Throws what a function reported, if it did.</summary>
    internal static unsafe void Check(Native.Failure* failed)
    {
        if (failed != null)
        {
            throw Of(failed, null);
        }
    }

    /// <summary>What a function reported, which is released.</summary>
    internal static unsafe MpiException Of(Native.Failure* failed, Exception? inner)
    {
        (int code, string message) = Library.Read(failed);
        MpiError error = code switch
        {
            UpcallMpiMissing => MpiError.Missing,
            UpcallMpiLoad => MpiError.Load,
            UpcallMpiLifecycle => MpiError.Lifecycle,
            UpcallMpiUsage => MpiError.Usage,
            UpcallMpiRank => MpiError.Rank,
            UpcallMpiTag => MpiError.Tag,
            UpcallMpiTruncated => MpiError.Truncated,
            UpcallMpiType => MpiError.Type,
            UpcallMpiCount => MpiError.Count,
            NativeMethods.UpcallMpiOperation => MpiError.Operation,
            UpcallMpiProcessFailed => MpiError.ProcessFailed,
            NativeMethods.UpcallMpiBuffer => MpiError.Buffer,
            UpcallMpiUnsupported => MpiError.Unsupported,
            UpcallMpiRange => MpiError.Range,
            UpcallMpiSynchronization => MpiError.Synchronization,
            UpcallMpiNotFound => MpiError.NotFound,
            UpcallMpiExists => MpiError.Exists,
            UpcallMpiAccess => MpiError.Access,
            UpcallMpiNoSpace => MpiError.NoSpace,
            UpcallMpiIo => MpiError.Io,
            UpcallMpiRevoked => MpiError.Revoked,
            UpcallMpiSpawn => MpiError.Spawn,
            NativeMethods.UpcallMpiPort => MpiError.Port,
            // Upcall's own are negative: arguments that are none.
            < 0 => MpiError.Usage,
            _ => MpiError.Other,
        };
        return new MpiException(error, message, inner);
    }
}
