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

    [Test]
    public void What_a_rank_throws_ends_the_job()
    {
        foreach (string launcher in (string[])["mpirun.openmpi", "mpirun.mpich"])
        {
            string said = Started(launcher, 2, "--ranks", "throws");
            Expect.Equal(true, said.Contains("rank 1: System.InvalidOperationException: thrown by rank 1"), said);
            Expect.Equal(false, said.Contains("all ranks well"), said);
        }
    }

    [Test]
    public void Structs_of_a_c_program_of_open_mpi_are_sent_and_received() => BesideC("mpirun.openmpi");

    [Test]
    public void Structs_of_a_c_program_of_mpich_are_sent_and_received() => BesideC("mpirun.mpich");

    private static void BesideC(string launcher)
    {
        string built = Path.GetDirectoryName(typeof(Runner).Assembly.Location)!;
        string program = Path.Combine(built, $"readings-{launcher}");
        string source = Path.Combine(built, "../../crates/mpi/tests/mpi/c/readings.c");
        using Process compiler = Process.Start(launcher.Replace("mpirun", "mpicc"), ["-std=c11", "-o", program, source])!;
        compiler.WaitForExit();
        Expect.Equal(0, compiler.ExitCode);
        string said = Started(launcher, 1, "--beside-c", ":", "-n", "1", program);
        Expect.Equal(2, said.Split("1 passed").Length - 1, said);
    }

    private static void OnRanks(string launcher)
    {
        foreach (int ranks in (int[])[1, 2, 3, 5])
        {
            AreWell(launcher, ranks);
        }
        AreWell(launcher, 2, "multiple");
    }

    private static void AreWell(string launcher, int ranks, params string[] arguments)
    {
        string said = Started(launcher, ranks, ["--ranks", .. arguments]);
        int well = said.Split("all ranks well").Length - 1;
        Expect.Equal(ranks, well, $"{ranks} ranks of {launcher}:\n{said}\n");
    }

    private static string Started(string launcher, int ranks, params string[] arguments)
    {
        var start = new ProcessStartInfo(launcher) { RedirectStandardOutput = true, RedirectStandardError = true };
        if (launcher.EndsWith("openmpi", StringComparison.Ordinal))
        {
            // More ranks than cores, as root.
            string all = "--allow-run-as-root --oversubscribe --bind-to none --timeout 300 --mca mpi_yield_when_idle 1";
            all.Split(' ').ToList().ForEach(start.ArgumentList.Add);
        }
        string program = System.Environment.ProcessPath!;
        foreach (string argument in (string[])["-n", $"{ranks}", program, "exec", typeof(Runner).Assembly.Location, .. arguments])
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
