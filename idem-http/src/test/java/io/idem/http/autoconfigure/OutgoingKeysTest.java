package io.idem.http.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.idem.Admission;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Scope;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.http.outgoing.OutgoingKeyExchangeFilter;
import io.idem.http.outgoing.OutgoingKeys;
import io.idem.memory.InMemoryIdempotencyStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.restclient.RestTemplateBuilder;
import org.springframework.boot.restclient.autoconfigure.RestClientAutoConfiguration;
import org.springframework.boot.restclient.autoconfigure.RestTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpEntity;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.scheduler.Schedulers;

/** Calls that idempotent work makes to other services, on a real server; the work is run again by giving its key back. */
class OutgoingKeysTest {

    private static final List<String> RECEIVED = new CopyOnWriteArrayList<>();
    private static final IdempotentExecutor EXECUTOR =
            IdempotentExecutor.on(new InMemoryIdempotencyStore()).build();

    private static HttpServer server;
    private static int port;

    private final ApplicationContextRunner app = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    RestClientAutoConfiguration.class,
                    RestTemplateAutoConfiguration.class,
                    IdemOutgoingAutoConfiguration.class));

    @BeforeAll
    static void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", OutgoingKeysTest::receive);
        server.start();
        port = server.getAddress().getPort();
    }

    @AfterAll
    static void stop() {
        server.stop(0);
        EXECUTOR.close();
    }

    @BeforeEach
    void forget() {
        RECEIVED.clear();
    }

    @ParameterizedTest
    @EnumSource
    void everyCallHasAKeyOfItsOwnThatARunAgainSendsAgain(Kind kind) {
        listing("127.0.0.1").run(context -> {
            Caller caller = kind.caller(context);
            for (String key : List.of("k-1", "k-1", "k-2")) {
                work(key, () -> {
                    caller.call(HttpMethod.POST, "/a?at=" + RECEIVED.size(), Map.of());
                    caller.call(HttpMethod.POST, "/a", Map.of());
                    caller.call(HttpMethod.PUT, "/b", Map.of());
                });
            }
            assertThat(RECEIVED.subList(0, 3)).doesNotHaveDuplicates().doesNotContain("none", "k-1");
            assertThat(RECEIVED.subList(3, 6)).isEqualTo(RECEIVED.subList(0, 3));
            assertThat(RECEIVED.subList(6, 9)).doesNotContainAnyElementsOf(RECEIVED.subList(0, 3));
        });
    }

    /** The provider would take the second tenant's call for a retry of the first one's. */
    @ParameterizedTest
    @EnumSource
    void twoTenantsWithOneKeySendKeysOfTheirOwn(Kind kind) {
        listing("127.0.0.1").run(context -> {
            Caller caller = kind.caller(context);
            RestClient client = context.getBean(RestClient.Builder.class).build();
            for (String tenant : List.of("north", "south")) {
                work(new IdempotencyKey(tenant, "k-1"), () -> {
                    caller.call(HttpMethod.POST, "/a", Map.of());
                    named(client, "refund");
                });
            }
            assertThat(RECEIVED).hasSize(4).doesNotHaveDuplicates().doesNotContain("none");
        });
    }

    @ParameterizedTest
    @EnumSource
    void aKeyThatIsThereStays(Kind kind) {
        listing("127.0.0.1").run(context -> {
            Caller caller = kind.caller(context);
            work("k-1", () -> caller.call(HttpMethod.POST, "/a", Map.of("Idempotency-Key", "own")));
            assertThat(RECEIVED).containsExactly("own");
        });
    }

    @ParameterizedTest
    @EnumSource
    void callsThatReadAndCallsOutsideIdempotentWorkCarryNone(Kind kind) {
        listing("127.0.0.1").run(context -> {
            Caller caller = kind.caller(context);
            work("k-1", () -> caller.call(HttpMethod.GET, "/a", Map.of()));
            caller.call(HttpMethod.POST, "/a", Map.of());
            assertThat(RECEIVED).containsExactly("none", "none");
        });
    }

    @ParameterizedTest
    @EnumSource
    void hostsThatAreNotListedAreToldNothing(Kind kind) {
        for (String other : List.of("localhost", "127.0.0.1:1", "*.0.0.1.example.com")) {
            listing(other).run(context -> {
                Caller caller = kind.caller(context);
                work("k-1", () -> caller.call(HttpMethod.POST, "/a", Map.of()));
            });
        }
        app.run(context -> {
            Caller caller = kind.caller(context);
            work("k-1", () -> caller.call(HttpMethod.POST, "/a", Map.of()));
        });
        assertThat(RECEIVED).containsExactly("none", "none", "none", "none");
    }

    @Test
    void aHostMayBeListedWithItsPortOrByItsDomain() {
        for (String listed : List.of("127.0.0.1:" + port, "*.0.0.1")) {
            listing(listed).run(context -> {
                Caller caller = Kind.REST_CLIENT.caller(context);
                work("k-1", () -> caller.call(HttpMethod.POST, "/a", Map.of()));
            });
        }
        assertThat(RECEIVED).hasSize(2).doesNotContain("none");
    }

    @Test
    void aNamedCallHasItsKeyWhateverWasCalledBefore() {
        listing("127.0.0.1").run(context -> {
            RestClient client = context.getBean(RestClient.Builder.class).build();
            work("k-1", () -> named(client, "refund"));
            work("k-1", () -> {
                client.post().uri(uri("/a")).retrieve().toBodilessEntity();
                named(client, "refund");
                named(client, "refund");
            });
            assertThat(RECEIVED.get(2)).isEqualTo(RECEIVED.get(0)).isEqualTo(RECEIVED.get(3));
            assertThat(RECEIVED.get(1)).isNotEqualTo(RECEIVED.get(0));
        });
    }

    private static void named(RestClient client, String name) {
        client.post()
                .uri(uri("/a"))
                .attribute(OutgoingKeys.CALL_NAME, name)
                .retrieve()
                .toBodilessEntity();
    }

    @Test
    void aReactiveCallThatIsSentAgainOnAnotherThreadKeepsItsKey() {
        listing("127.0.0.1").run(context -> {
            WebClient client = webClient(context);
            work(
                    "k-1",
                    () -> client.post()
                            .uri(uri("/fails"))
                            .retrieve()
                            .toBodilessEntity()
                            .subscribeOn(Schedulers.boundedElastic())
                            .retry(1)
                            .onErrorComplete()
                            .block(Duration.ofSeconds(20)));
            assertThat(RECEIVED).hasSize(2).doesNotContain("none");
            assertThat(RECEIVED.get(1)).isEqualTo(RECEIVED.get(0));
        });
    }

    @Test
    void theHeaderIsThatOfIncomingRequests() {
        listing("127.0.0.1")
                .withPropertyValues("idem.http.headers.key=X-Request-Key")
                .run(context -> {
                    Caller caller = Kind.REST_CLIENT.caller(context);
                    work("k-1", () -> caller.call(HttpMethod.POST, "/a", Map.of()));
                    assertThat(context.getBean(OutgoingKeys.class).header()).isEqualTo("X-Request-Key");
                    assertThat(RECEIVED).containsExactly("none");
                });
    }

    @Test
    void whatIsNoHostIsRefusedAtStart() {
        for (String wrong : List.of("https://payments.example.com", "payments.example.com/v1", "*")) {
            listing(wrong)
                    .run(context ->
                            assertThat(context.getStartupFailure()).rootCause().hasMessageContaining("is not a host"));
        }
    }

    private ApplicationContextRunner listing(String host) {
        return app.withPropertyValues("idem.http.outgoing.hosts=" + host);
    }

    private static void work(String key, Runnable work) {
        work(IdempotencyKey.of(key), work);
    }

    private static void work(IdempotencyKey key, Runnable work) {
        Operation operation = Operation.of(key, new Scope("payments"), ExecutionPolicy.defaults());
        Admission.Granted<Object> granted = (Admission.Granted<Object>) EXECUTOR.begin(operation);
        try {
            WorkResult<Object> result = granted.operation().call(context -> {
                work.run();
                return new WorkResult.Release<>(key, Duration.ZERO);
            });
            assertThat(granted.operation().settle(result)).isNotNull();
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static String uri(String path) {
        return "http://127.0.0.1:" + port + path;
    }

    private static void receive(HttpExchange exchange) throws IOException {
        String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
        RECEIVED.add(key == null ? "none" : key);
        boolean fails = exchange.getRequestURI().getPath().equals("/fails");
        exchange.sendResponseHeaders(fails ? 503 : 204, -1);
        exchange.close();
    }

    private static WebClient webClient(ApplicationContext context) {
        return WebClient.builder()
                .clientConnector(new JdkClientHttpConnector())
                .apply(context.getBean(OutgoingKeyExchangeFilter.class))
                .build();
    }

    @FunctionalInterface
    interface Caller {
        void call(HttpMethod method, String path, Map<String, String> headers);
    }

    enum Kind {
        REST_CLIENT {
            @Override
            Caller caller(ApplicationContext context) {
                RestClient client = context.getBean(RestClient.Builder.class).build();
                return (method, path, headers) -> client.method(method)
                        .uri(uri(path))
                        .headers(all -> headers.forEach(all::set))
                        .retrieve()
                        .toBodilessEntity();
            }
        },
        REST_TEMPLATE {
            @Override
            Caller caller(ApplicationContext context) {
                var template = context.getBean(RestTemplateBuilder.class).build();
                return (method, path, headers) ->
                        template.exchange(uri(path), method, new HttpEntity<>(headersOf(headers)), Void.class);
            }
        },
        WEB_CLIENT {
            @Override
            Caller caller(ApplicationContext context) {
                WebClient client = webClient(context);
                return (method, path, headers) -> client.method(method)
                        .uri(uri(path))
                        .headers(all -> headers.forEach(all::set))
                        .retrieve()
                        .toBodilessEntity()
                        .block(Duration.ofSeconds(20));
            }
        };

        abstract Caller caller(ApplicationContext context);

        private static HttpHeaders headersOf(Map<String, String> headers) {
            HttpHeaders all = new HttpHeaders();
            headers.forEach(all::set);
            return all;
        }
    }
}
