using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using Kept;

// Called on threads of the library's, after everything that could be collected was.
long sum = 0;
int calls = 0;
void Listen()
{
    Api.Hear(value =>
    {
        Interlocked.Add(ref sum, (long)value);
        Interlocked.Increment(ref calls);
    });
}
Listen();
Collect();
Api.Fire(5);
Check(sum == 5, "on the caller's thread");
Api.FireAndWait(4);
Check(sum == 11, "on a thread of the library's");
Api.FireFromThreads(4, 1000);
Until(() => Volatile.Read(ref calls) == 5 + 4000);
Check(Api.Alive() == 1, "it is kept");
Api.ForgetOnAThread();
Check(Api.Alive() == 0, "it is forgotten");

// Nobody catches what it throws.
var thrown = new ConcurrentQueue<string>();
NativeKept.Thrown += exception => thrown.Enqueue(exception.Message);
Api.Hear(value => throw new InvalidOperationException($"no {value}"));
Api.Fire(7);
Api.FireAndWait(1);
Check(thrown.SequenceEqual(new[] { "no 7", "no 0" }), "each exception is told");
Api.RankWith((text, numbers) => text.Length == 0 ? throw new ArgumentException("empty") : text.Length * numbers[0]);
Check(Api.Ranked("four", new[] { 2.5 }) == 10.0, "it is given text and numbers");
Check(Api.Ranked("", new[] { 2.5 }) == 0.0 && thrown.Last() == "empty", "zero where it throws");
Api.ForgetRank();
unsafe
{
    Api.PaintWith((pixel, bright) => bright && pixel->X == 3 && pixel->Y == -4 ? Color.Green : Color.Red);
    Check(Api.Painted(3, -4, true) == 9, "it is given a struct and answers with an enum");
    Api.PaintWith((pixel, bright) => (Color)7);
}
Check(Api.Painted(3, -4, true) == 4 && thrown.Last().Contains("Color"), "what is no color is one of them");

// It may call the library, replace itself, and be the last to be called.
ulong seen = 0;
Api.Hear(value =>
{
    seen = Api.Alive();
    Api.Hear(again => seen = 100 + again);
    Api.Fire(value);
});
Api.Fire(3);
Check(seen == 103 && Api.Alive() == 1, "a callback calls the library");
Api.Hear(_ => Api.Forget());
Api.FireAndWait(1);
Check(Api.Alive() == 0, "it forgets itself");

// A call that fails has released it.
List<WeakReference> refused = Refused();
Collect();
Check(Api.Alive() == 0 && refused.All(reference => !reference.IsAlive), "a refused one is collected");
try { Api.Hear(null!); Check(false, "null is refused"); } catch (ArgumentNullException) { }

List<WeakReference> rounds = Rounds();
Api.Forget();
Collect();
Check(Api.Alive() == 0 && rounds.All(reference => !reference.IsAlive), "none of 10,000 is left");

// A handle keeps them until it is released.
int told = 0;
using (var topic = new Topic())
{
    topic.Subscribe(text => told += text.Length);
    topic.Subscribe(text => told += 10 * text.Length);
    topic.Publish("four");
}
Check(told == 44 && Api.Alive() == 0, "a handle keeps and forgets");

// A waker completes a task.
static Task After(uint milliseconds)
{
    var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
    Api.WakeAfter(milliseconds, done.SetResult);
    return done.Task;
}
await Task.WhenAll(Enumerable.Range(1, 100).Select(milliseconds => After((uint)milliseconds % 10)));
Until(() => Api.Alive() == 0);

// The library goes on calling while the program ends.
Api.Hear(value => Interlocked.Increment(ref calls));
Api.FireForEver();
Until(() => Volatile.Read(ref calls) > 10000);
Console.WriteLine("done");
return 0;

[MethodImpl(MethodImplOptions.NoInlining)]
static WeakReference Watched(Action<HearListener> pass)
{
    object alive = new();
    HearListener listener = value => GC.KeepAlive(alive);
    pass(listener);
    return new WeakReference(alive);
}

[MethodImpl(MethodImplOptions.NoInlining)]
static List<WeakReference> Refused()
{
    return Enumerable.Range(0, 100).Select(_ => Watched(listener =>
    {
        try { Api.HearAs(new HearAsListener(listener), ""); Check(false, "it fails"); }
        catch (NativeException failure) { Check(failure.Message == "a listener needs a name", failure.Message); }
    })).ToList();
}

[MethodImpl(MethodImplOptions.NoInlining)]
static List<WeakReference> Rounds() => Enumerable.Range(0, 10000).Select(_ => Watched(Api.Hear)).ToList();

static void Collect()
{
    for (int round = 0; round < 3; round++)
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
    }
}

static void Until(Func<bool> is_so)
{
    for (int wait = 0; wait < 20000 && !is_so(); wait++) Thread.Sleep(1);
    Check(is_so(), "it comes in time");
}

static void Check(bool holds, string what)
{
    if (!holds) throw new InvalidOperationException(what);
}
