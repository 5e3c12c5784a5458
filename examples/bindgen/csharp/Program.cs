using System;
using Statistics;

double[] values = [1, 2, 3, 6];
Console.WriteLine($"version {Api.StatisticsVersion()}");
Console.WriteLine($"mean {Api.Mean(values)}");
Summary summary = Api.Summarize(values);
Console.WriteLine($"{summary.Count} values from {summary.Min} to {summary.Max}");
Console.WriteLine($"{Api.CountIf(values, value => value > 1.5)} are above 1.5");
Console.WriteLine(Api.Greet("C#"));
using (var sum = new Sum(10))
{
    sum.Add(1);
    Console.WriteLine($"sum {sum.Add(2)}");
}
try
{
    Api.Mean([]);
}
catch (EmptyException error)
{
    Console.WriteLine($"error {error.Code}: {error.Message}");
}
