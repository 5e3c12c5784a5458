using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Globalization;
using System.Threading.Tasks;

namespace Upcall.Tests;

/// <summary>What a handler of this program is told when it is opened.</summary>
public sealed class EmbeddedSettingsTests
{
    [Test]
    public async Task Numbers_of_settings_arrive_as_they_are()
    {
        double[] numbers =
        [
            0, -0.0, 1, 0.1, 1e-20, -1e-17, 1.2345678901234567e-5, 1e15, 1e16, 1e300, double.Epsilon, double.MaxValue,
            double.NaN, double.PositiveInfinity, double.NegativeInfinity,
        ];
        var settings = new Dictionary<string, object> { ["float"] = 1e-20f, ["large"] = float.MaxValue };
        for (int index = 0; index < numbers.Length; index++)
        {
            settings[$"{index}"] = numbers[index];
        }
        var told = new ConcurrentDictionary<string, string?>();
        await using Flow flow = await Flow.Describe()
            .Workers(1)
            .Pool("/in")
            .Pool("/out")
            .On("/in", "/out", () => new Opens(told, settings.Keys), new() { Settings = settings })
            .StartAsync();
        for (int index = 0; index < numbers.Length; index++)
        {
            string text = told[$"{index}"]!;
            Expect.Equal(BitConverter.DoubleToInt64Bits(numbers[index]), BitConverter.DoubleToInt64Bits(Read(text)), text);
        }
        Expect.Equal(1e-20f, (float)Read(told["float"]!));
        Expect.Equal(float.MaxValue, (float)Read(told["large"]!));

        static double Read(string text) => text switch
        {
            "nan" => double.NaN,
            "inf" => double.PositiveInfinity,
            "-inf" => double.NegativeInfinity,
            _ => double.Parse(text, CultureInfo.InvariantCulture),
        };
    }

    private sealed class Opens(ConcurrentDictionary<string, string?> told, IEnumerable<string> names) : IObjectHandler, IOpen
    {
        public void OnOpen(OpenContext open)
        {
            foreach (string name in names)
            {
                told[name] = open.Setting(name);
            }
        }

        public void OnObject(FlowObject obj, Emitter emit)
        {
        }
    }
}
