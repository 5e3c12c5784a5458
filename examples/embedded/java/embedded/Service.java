package embedded;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import upcall.Emitter;
import upcall.FlowObject;
import upcall.ObjectHandler;
import upcall.flow.Flow;
import upcall.flow.FlowException;
import upcall.flow.HandlerOptions;
import upcall.flow.Pool;
import upcall.flow.PoolKind;
import upcall.flow.Stored;

/**
 * Accounts behind HTTP: {@code POST /accounts/ada} with an amount changes one, when the flow has handled the change;
 * {@code GET} reads it from the pool. At SIGTERM or Ctrl-C it answers what it has begun, and ends.
 */
public final class Service implements AutoCloseable {
    private final Flow flow;
    private final Pool changes;
    private final Pool balances;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(4);
    private final AtomicLong numbers = new AtomicLong();
    // Requests that wait for their change, by its number.
    private final Map<String, HttpExchange> open = new ConcurrentHashMap<>();
    private volatile boolean stopping;

    private Service(int port) throws IOException, InterruptedException {
        flow = Flow.describe()
                .name("accounts")
                .pool("/changes", PoolKind.TRIGGER)
                .pool("/balances", "text")
                .pool("/answers", PoolKind.TRIGGER)
                .on("/changes", "/balances", Book::new, new HandlerOptions().name("book").alsoTo("/answers"))
                .on("/answers", (number, out) -> answer(number.keyText(), number.valueText()))
                .start();
        changes = flow.pool("/changes");
        balances = flow.pool("/balances");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 100);
        server.createContext("/accounts/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    /** The first argument is the port; 0 for any that is free. */
    public static void main(String[] arguments) throws Exception {
        Service service = new Service(arguments.length > 0 ? Integer.parseInt(arguments[0]) : 8080);
        // Run at SIGTERM and at Ctrl-C, while the flow runs too.
        Runtime.getRuntime().addShutdownHook(new Thread(service::close, "stop"));
        System.out.println("listening on port " + service.server.getAddress().getPort());
    }

    /** Takes no more requests, answers those that are open, and stops the flow. */
    @Override
    public void close() {
        stopping = true;
        try {
            flow.drain(Duration.ofSeconds(10));
            threads.shutdown();
            threads.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException | TimeoutException | FlowException late) {
            System.err.println("some requests are not answered: " + late.getMessage());
        }
        server.stop(0);
        flow.close();
        System.out.println("stopped after " + numbers.get() + " changes, " + open.size() + " not answered");
    }

    private void handle(HttpExchange exchange) throws IOException {
        String account = exchange.getRequestURI().getPath().substring("/accounts/".length());
        if (stopping || account.isEmpty()) {
            respond(exchange, stopping ? 503 : 404, stopping ? "stopping" : "name an account");
        } else if (exchange.getRequestMethod().equals("GET")) {
            Stored balance = balances.get(account);
            respond(exchange, balance == null ? 404 : 200, balance == null ? "no account " + account : balance.valueText());
        } else {
            String amount = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String number = Long.toString(numbers.incrementAndGet());
            open.put(number, exchange);
            // The account is the key: its changes are handled one after the other, those of others beside them.
            changes.putAsync(account, number + " " + amount.trim()).exceptionally(failed -> {
                answer(number, "503 " + failed.getMessage());
                return null;
            });
        }
    }

    /** Answers who has asked for a change; on another thread, as nobody waits for a client on one of the flow's. */
    private void answer(String number, String text) {
        threads.execute(() -> {
            try {
                respond(open.remove(number), Integer.parseInt(text.substring(0, 3)), text.substring(4));
            } catch (IOException gone) {
                // Nobody waits for it any more.
            }
        });
    }

    private static void respond(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = (text + "\n").getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    /** Keeps the balances of the accounts that are its worker's. The same class would work under `upcall run`. */
    public static final class Book implements ObjectHandler {
        private final Map<String, Long> balances = new HashMap<>();

        @Override
        public void onObject(FlowObject change, Emitter out) {
            String account = change.keyText();
            String[] parts = change.valueText().split(" ", 2);
            long before = balances.getOrDefault(account, 0L);
            try {
                long balance = Math.addExact(before, Long.parseLong(parts[1]));
                if (balance < 0) {
                    out.put("/answers", parts[0], "409 only " + before + " is there");
                    return;
                }
                balances.put(account, balance);
                out.put(account, Long.toString(balance));
                out.put("/answers", parts[0], "200 " + balance);
            } catch (ArithmeticException | NumberFormatException wrong) {
                out.put("/answers", parts[0], "400 not an amount: " + parts[1]);
            }
        }
    }
}
