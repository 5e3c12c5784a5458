import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.spi.ToolProvider;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A compiler of Java that stays: {@code CompilerServer SOCKET} serves until its input ends. */
final class CompilerServer {
    private static final ToolProvider JAVAC = ToolProvider.findFirst("javac").orElseThrow();

    public static void main(String[] arguments) throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(arguments[0]), 64);
            Thread accepting = new Thread(() -> accept(server));
            accepting.setDaemon(true);
            accepting.start();
            System.out.println("ready");
            while (System.in.read() >= 0) {
                // Nothing that is said to it matters.
            }
        }
    }

    private static void accept(ServerSocketChannel server) {
        while (true) {
            try {
                SocketChannel asker = server.accept();
                new Thread(() -> answer(asker)).start();
            } catch (IOException closed) {
                return;
            }
        }
    }

    /** Arguments, each with a zero byte behind it, until the asker stops; answered by javac's result, a line, and its output. */
    private static void answer(SocketChannel asker) {
        try (asker) {
            String asked = new String(Channels.newInputStream(asker).readAllBytes(), UTF_8);
            StringWriter said = new StringWriter();
            PrintWriter writer = new PrintWriter(said);
            int result = JAVAC.run(writer, writer, asked.split("\0"));
            ByteBuffer answer = ByteBuffer.wrap((result + "\n" + said).getBytes(UTF_8));
            while (answer.hasRemaining()) {
                asker.write(answer);
            }
        } catch (IOException gone) {
            // Nobody waits for the answer.
        }
    }
}
