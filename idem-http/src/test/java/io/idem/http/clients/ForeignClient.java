package io.idem.http.clients;

import io.idem.servers.junit.RequiresHttpClients;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** A client that is a program of its own. It prints, last, the status that its user sees. */
enum ForeignClient {
    CURL("curl", "`--retry 5 --retry-all-errors --fail-with-body`"),
    REQUESTS("Python requests", "urllib3's `Retry`, `allowed_methods=None`, for 429, 502, 503, 504"),
    NGINX(
            "nginx, two upstreams",
            "`proxy_next_upstream error timeout http_503 non_idempotent`; its client sends one request"),
    AXIOS("axios with axios-retry", "network errors, time-outs, 429 and 5xx"),
    GOT("got", "its defaults, for POST too"),
    KY("ky", "its defaults, for POST and time-outs too"),
    STRIPE("stripe-node", "`maxNetworkRetries: 5`"),
    SQUARE("Square's SDK", "`maxRetries: 5`");

    private static final Path SCRIPTS =
            Path.of("src", "test", "resources", "clients").toAbsolutePath();

    private final String title;
    private final String retries;

    ForeignClient(String title, String retries) {
        this.title = title;
        this.retries = retries;
    }

    String title() {
        return title;
    }

    String retries() {
        return retries;
    }

    /** Sends one request, with the retries that the client makes of itself, and returns the status that its user sees, or "error". */
    String send(String server, String key) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command(server, key))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        process.waitFor();
        return printed.equals("000") ? "error" : printed;
    }

    private List<String> command(String server, String key) throws IOException {
        return switch (this) {
            case CURL ->
                Stream.concat(
                                curl(server, key, "0.6").stream(),
                                Stream.of("--retry", "5", "--retry-all-errors", "--fail-with-body"))
                        .toList();
            case NGINX -> curl(server, key, "20");
            case REQUESTS -> List.of(folder().resolve("python").toString(), script("client.py"), server, key);
            default -> List.of("node", script("client.mjs"), name().toLowerCase(Locale.ROOT), server, key);
        };
    }

    /** Without a retry of its own. The body goes to a file that curl can empty before the next try. */
    private static List<String> curl(String server, String key, String seconds) throws IOException {
        String body = Files.createTempFile("answer", ".json").toString();
        return List.of(
                "curl",
                "-s",
                "-o",
                body,
                "-w",
                "%{http_code}",
                "--max-time",
                seconds,
                "-H",
                "Idempotency-Key: " + key,
                "-H",
                "Content-Type: application/json",
                "-d",
                "{}",
                server + "/payments");
    }

    private static String script(String name) {
        return SCRIPTS.resolve(name).toString();
    }

    private static Path folder() {
        return Path.of(System.getenv(RequiresHttpClients.FOLDER));
    }
}
