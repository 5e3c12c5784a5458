using System.Collections.Generic;
using Upcall;

namespace WordCount;

/// <summary>Keeps a count per word and emits each word that changed, once a batch, with its count.</summary>
public sealed class Counter : IBatchHandler
{
    private readonly WordTable words = new();
    private readonly List<int> changed = [];
    private readonly List<int> changedIn = [];
    private int batches;

    /// <inheritdoc/>
    public void OnBatch(Batch batch, Emitter emit)
    {
        batches++;
        changed.Clear();
        foreach (FlowObject word in batch)
        {
            int index = words.IndexOf(word.Key);
            words.CountAt(index)++;
            if (index == changedIn.Count)
            {
                changedIn.Add(0);
            }
            if (changedIn[index] != batches)
            {
                changedIn[index] = batches;
                changed.Add(index);
            }
        }
        foreach (int index in changed)
        {
            emit.Put(words[index], words.CountAt(index));
        }
    }
}
