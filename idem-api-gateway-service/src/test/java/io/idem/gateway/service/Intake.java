package io.idem.gateway.service;

import io.idem.http.internal.tenant.ApiKeyTenants;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.web.context.servlet.AnnotationConfigServletWebApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.web.MockServletContext;

/** The intake service on a real Tomcat, configured as a user would, with records in memory. */
final class Intake implements AutoCloseable {

    static final String NORTH = "north-key-of-a-test";
    static final String SOUTH = "south-key-of-a-test";
    static final String BODY = "{\"account\": \"account-0001\",\t\"amount\":1250}";

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ConfigurableApplicationContext context;

    private Intake(ConfigurableApplicationContext context) {
        this.context = context;
    }

    static Intake start(Stream<String> settings, Class<?>... configuration) {
        return new Intake(builder(Memory.class, configuration).run(arguments(settings)));
    }

    /** Inside of an application, with the API keys of two tenants. */
    static Intake startEmbedded(Stream<String> settings, Class<?> application) {
        return new Intake(settled(new SpringApplicationBuilder(application, Memory.class))
                .run(arguments(Stream.concat(keys(), settings))));
    }

    /** With records where the settings say. */
    static Intake startOnRedis(Stream<String> settings, Class<?> configuration) {
        return new Intake(builder(configuration).run(arguments(settings)));
    }

    /**
     * For settings that end the start: without a server, and with those auto-configurations of Spring Boot alone that
     * the settings of an intake can reach.
     */
    static Intake startReduced(Stream<String> settings) {
        Stream<String> reduced = Stream.of("spring.autoconfigure.exclude=" + Reduced.UNNEEDED);
        return new Intake(builder(Memory.class)
                .contextFactory(type -> Reduced.context())
                .run(arguments(Stream.concat(reduced, settings))));
    }

    /** With the API keys of two tenants. */
    static Intake startWithKeys(Stream<String> settings, Class<?>... configuration) {
        return start(Stream.concat(keys(), settings), configuration);
    }

    static Stream<String> keys() {
        return Stream.of(
                "idem.gateway.api-keys[0].tenant=north",
                "idem.gateway.api-keys[0].key=" + NORTH,
                "idem.gateway.api-keys[1].tenant=south",
                "idem.gateway.api-keys[1].sha256="
                        + ApiKeyTenants.ApiKey.of("south", SOUTH).sha256());
    }

    private static SpringApplicationBuilder builder(Class<?> first, Class<?>... configuration) {
        List<Class<?>> sources = new ArrayList<>(List.of(GatewayApplication.class, first));
        sources.addAll(Arrays.asList(configuration));
        return settled(new SpringApplicationBuilder(sources.toArray(Class<?>[]::new)));
    }

    private static SpringApplicationBuilder settled(SpringApplicationBuilder application) {
        return application
                .properties("server.port=0", "server.address=127.0.0.1", "spring.main.banner-mode=off")
                .properties("spring.application.name=intake", "idem.gateway.enabled=true");
    }

    private static String[] arguments(Stream<String> settings) {
        return settings.map(setting -> "--" + setting).toArray(String[]::new);
    }

    static String newKey() {
        return UUID.randomUUID().toString();
    }

    Answer post(String path, String key) {
        return post(path, NORTH, key, BODY);
    }

    Answer post(String path, String apiKey, String key, String body) {
        return send(request(path)
                .header("Authorization", "Bearer " + apiKey)
                .header("Idempotency-Key", key)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body)));
    }

    Answer operation(String apiKey, String key) {
        return get("/v1/operations/" + key, apiKey);
    }

    Answer get(String path, String apiKey) {
        return send(request(path).header("Authorization", "Bearer " + apiKey));
    }

    /** The status of an answer to a request as it stands here, which no client library changes; 0 if the server hung up. */
    int statusOf(String request) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            String line = new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))
                    .readLine();
            return line == null ? 0 : Integer.parseInt(line.split(" ", 3)[1]);
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    int port() {
        return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .timeout(Duration.ofMinutes(2));
    }

    Answer send(HttpRequest.Builder request) {
        try {
            return new Answer(http.send(request.build(), BodyHandlers.ofByteArray()));
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** Cancel it to hang up. */
    CompletableFuture<HttpResponse<byte[]>> sendAsync(HttpRequest.Builder request) {
        return http.sendAsync(request.build(), BodyHandlers.ofByteArray());
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    @Override
    public void close() {
        context.close();
    }

    /** What came back. */
    record Answer(HttpResponse<byte[]> response) {

        int status() {
            return response.statusCode();
        }

        String body() {
            return new String(response.body(), StandardCharsets.UTF_8);
        }

        String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }

        boolean replayed() {
            return header("Idempotency-Replayed").equals("true");
        }
    }

    /** Records in memory. */
    @Configuration(proxyBeanMethods = false)
    static class Memory {

        @Bean
        SilentStore store() {
            return new SilentStore();
        }
    }

    /** Leaves out what takes most of the time of a start. */
    private static final class Reduced {

        private static final String UNNEEDED = StreamSupport.stream(
                        ImportCandidates.load(AutoConfiguration.class, null).spliterator(), false)
                .filter(name -> !name.startsWith("io.idem.") && !isNeeded(name))
                .collect(Collectors.joining(","));

        private Reduced() {}

        private static boolean isNeeded(String name) {
            return Stream.of(
                            "ConfigurationProperties",
                            "Jackson",
                            "HttpMessageConverters",
                            "DispatcherServlet",
                            "WebMvc",
                            "Rabbit",
                            "Kafka",
                            "Security",
                            "ServletWebSecurity",
                            "UserDetailsService",
                            "OAuth2ResourceServer",
                            "OAuth2ResourceServerWebSecurity")
                    .anyMatch(needed -> name.endsWith("." + needed + "AutoConfiguration"));
        }

        static ConfigurableApplicationContext context() {
            AnnotationConfigServletWebApplicationContext context = new AnnotationConfigServletWebApplicationContext();
            context.setServletContext(new MockServletContext());
            return context;
        }
    }
}
