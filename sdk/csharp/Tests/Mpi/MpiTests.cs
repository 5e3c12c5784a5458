using System;
using System.Diagnostics;
using System.IO;
using System.Linq;

namespace Upcall.Tests;

/// <summary>Starts this program again on ranks of both MPIs, which setup has installed.</summary>
public sealed class MpiTests
{
    [Test]
    public void Ranks_of_open_mpi_are_well() => OnRanks("mpirun.openmpi");

    [Test]
    public void Ranks_of_mpich_are_well() => OnRanks("mpirun.mpich");

    private static void OnRanks(string launcher)
    {
        foreach (int ranks in (int[])[1, 2, 3, 5])
        {
            AreWell(launcher, ranks);
        }
        AreWell(launcher, 2, "--multiple");
    }

    private static void AreWell(string launcher, int ranks, params string[] arguments)
    {
        string said = Started(launcher, ranks, arguments);
        int well = said.Split("all ranks well").Length - 1;
        Expect.Equal(ranks, well, $"{ranks} ranks of {launcher}:\n{said}\n");
    }

    private static string Started(string launcher, int ranks, string[] arguments)
    {
        var start = new ProcessStartInfo(launcher) { RedirectStandardOutput = true, RedirectStandardError = true };
        if (launcher.EndsWith("openmpi", StringComparison.Ordinal))
        {
            // More ranks than cores, as root.
            string all = "--allow-run-as-root --oversubscribe --bind-to none --timeout 300 --mca mpi_yield_when_idle 1";
            all.Split(' ').ToList().ForEach(start.ArgumentList.Add);
        }
        string program = System.Environment.ProcessPath!;
        foreach (string argument in (string[])["-n", $"{ranks}", program, "exec", typeof(Runner).Assembly.Location, "--ranks", .. arguments])
        {
            start.ArgumentList.Add(argument);
        }
        start.Environment["MPIEXEC_TIMEOUT"] = "300";
        start.Environment["UPCALL_MPI_CACHE"] = Path.Combine(Path.GetDirectoryName(typeof(Runner).Assembly.Location)!, "mpi");
        start.Environment.Remove("UPCALL_MPI");
        using Process process = Process.Start(start)!;
        var errors = process.StandardError.ReadToEndAsync();
        string said = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return $"{said}{errors.Result}";
    }
}
