using System;
using System.Runtime.CompilerServices;

namespace Upcall;

/// <summary>What the types of a handler mean for what it says of itself and for its pools.</summary>
internal static class Typing<TIn, TOut>
{
    /// <summary>Before anything is compiled that looks at them: what is known then is compiled in.</summary>
    internal static void Prepare()
    {
        RuntimeHelpers.RunClassConstructor(typeof(Form<TIn>).TypeHandle);
        RuntimeHelpers.RunClassConstructor(typeof(Form<TOut>).TypeHandle);
    }

    internal static void Describe(Description about)
    {
        if (Form<TIn>.Said is (string takes, int taken))
        {
            about.Takes(takes, taken);
        }
        if (Form<TOut>.Said is (string gives, int given))
        {
            about.Gives(gives, given);
        }
    }

    /// <summary>Throws when the types are not those of the pools.</summary>
    internal static void Check(Session session)
    {
        string? wrong = Form<TIn>.Unreadable ?? Form<TOut>.Unwritable;
        foreach (Pool pool in session.Pools)
        {
            if (pool.Access.HasFlag(PoolAccess.Watch))
            {
                wrong ??= Form<TIn>.Disagrees(pool, "takes");
            }
        }
        if (wrong != null)
        {
            throw new PoolTypeException(wrong);
        }
        if (Array.Find(session.Pools, pool => pool.Access.HasFlag(PoolAccess.Emit)) is Pool first)
        {
            session.Agree<TOut>(first.Id.Value);
        }
    }
}
