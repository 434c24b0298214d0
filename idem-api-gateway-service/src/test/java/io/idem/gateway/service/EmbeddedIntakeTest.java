package io.idem.gateway.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.gateway.IntakeHandler;
import io.idem.gateway.IntakeRouter;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpMethod;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.function.ServerResponse;

/** The intake in an application with servlets of its own and without Spring Security, whose firewall would refuse most of these paths. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("servers")
class EmbeddedIntakeTest {

    private Intake intake;
    private AtomicInteger reached;

    @BeforeAll
    void start() {
        intake = Intake.startEmbedded(
                Stream.of(
                        "idem.gateway.routes[0].path=/v1/payments",
                        "idem.gateway.routes[0].exchange=nobody-publishes",
                        "idem.gateway.routes[0].routing-key=here"),
                Host.class);
        reached = intake.bean(AtomicInteger.class);
    }

    @AfterAll
    void stop() {
        intake.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/admin/metrics",
                "/idem/../admin/metrics",
                "/idem/%2e%2e/admin/metrics",
                "/idem/%2E./admin/metrics",
                "/idem/..;/admin/metrics",
                "/idem/..;a=b/admin/metrics",
                "/idem/x/../../admin/metrics",
                "/idem/;/../../admin/metrics",
                "/idem//../../admin/metrics",
                "/idem/./../admin/metrics",
                "/idem;a=b/../admin/metrics",
                "/actuator/health/../../admin/metrics",
                "/actuator/health/..;/..;/admin/metrics",
                "/ops/metrics",
                "/idem/../ops/metrics",
                "/idem/%2e%2e/ops/metrics",
                "/idem/%2E./ops/metrics",
                "/idem/..;/ops/metrics",
                "/idem/..;a=b/ops/metrics",
                "/idem/x/../../ops/metrics",
                "/idem/;/../../ops/metrics",
                "/idem//../../ops/metrics",
                "/idem/./../ops/metrics",
                "/idem;a=b/../ops/metrics",
                "/actuator/health/../../ops/metrics",
                "/actuator/health/..;/..;/ops/metrics",
                "/idem/x.do",
                "/idem/x.do;a=b",
                "/idem/x%2edo",
                "/actuator/health/x.do",
                "/actuator/health/liveness/x.do",
                "/admin/idem/metrics",
                "/admin/actuator/health",
                "/admin;/idem/metrics",
                "//admin/idem/metrics",
                "/x/../admin/idem/metrics",
                "/actuator/health/../env",
                "/actuator/health/%2e%2e/env",
                "/actuator/health/..;/env",
                "/controller",
                "/idem/../controller"
            })
    void noSpellingReachesWhatNeedsAuthentication(String path) {
        int before = reached.get();

        int status = intake.statusOf("GET " + path + " HTTP/1.1\r\nHost: intake\r\nConnection: close\r\n\r\n");

        assertThat(reached.get()).as("reached by GET %s", path).isEqualTo(before);
        assertThat(status).as("GET %s", path).isBetween(400, 401);
    }

    @Test
    void openPathsNeedNoAuthentication() {
        for (String path : new String[] {
            "/idem/openapi.json", "/idem/problems.html", "/actuator/health/liveness", "/idem;a=b/openapi.json"
        }) {
            assertThat(intake.statusOf("GET " + path + " HTTP/1.1\r\nHost: intake\r\nConnection: close\r\n\r\n"))
                    .as(path)
                    .isEqualTo(200);
        }
    }

    @Test
    void callersWithAnApiKeyReachTheApplication() {
        assertThat(intake.get("/admin/metrics", Intake.NORTH).status()).isEqualTo(200);
        assertThat(intake.get("/controller", Intake.NORTH).status()).isEqualTo(200);
    }

    @Test
    void aMultipartFormIsTakenAsItsBytes() {
        String form = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b--\r\n";

        Intake.Answer answer =
                intake.send(bytes("multipart/form-data; boundary=b").POST(BodyPublishers.ofString(form)));

        assertThat(answer.body()).isEqualTo(form);
    }

    @Test
    void aFormIsTakenAsItsBytes() {
        Intake.Answer answer =
                intake.send(bytes("application/x-www-form-urlencoded").POST(BodyPublishers.ofString("b=2&a=1")));

        assertThat(answer.body()).isEqualTo("b=2&a=1");
    }

    @Test
    void anEmptyFormIsEmpty() {
        Intake.Answer answer =
                intake.send(bytes("application/x-www-form-urlencoded").PUT(BodyPublishers.ofString("")));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFormThatAFilterHasTakenApartIsRefusedWithItsRemedy(boolean lengthSaid) {
        BodyPublisher form = BodyPublishers.ofString("a=1");
        HttpRequest.Builder request =
                bytes("application/x-www-form-urlencoded").PUT(lengthSaid ? form : BodyPublishers.fromPublisher(form));

        Intake.Answer answer = intake.send(request);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body()).contains("body-unreadable", "taken apart", "another Content-Type");
    }

    @ParameterizedTest
    @CsvSource({"1,true", "1,false", "2,true", "2,false"})
    void aBodyThatIsReadBehindTheFilterIsNotTakenForItsRest(String bytes, boolean lengthSaid) {
        BodyPublisher body = BodyPublishers.ofString("12");

        Intake.Answer answer = intake.send(bytes("text/plain")
                .header(Host.SWALLOW, bytes)
                .POST(lengthSaid ? body : BodyPublishers.fromPublisher(body)));

        assertThat(answer.status()).isEqualTo(500);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/bytes", "/v1/payments"})
    void aContentCodingIsRefusedWithItsRemedy(String path) {
        Intake.Answer answer = intake.send(intake.request(path)
                .header("Authorization", "Bearer " + Intake.NORTH)
                .header("Idempotency-Key", Intake.newKey())
                .header("Content-Encoding", "identity, GZIP")
                .POST(BodyPublishers.ofByteArray(new byte[] {0x1f, (byte) 0x8b})));

        assertThat(answer.status()).isEqualTo(415);
        assertThat(answer.header("Accept-Encoding")).isEqualTo("identity");
        assertThat(answer.body()).contains("content-coding-unsupported", "without Content-Encoding");
    }

    @Test
    void theCodingThatChangesNothingIsTaken() {
        Intake.Answer answer = intake.send(
                bytes("text/plain").header("Content-Encoding", "Identity").POST(BodyPublishers.ofString("1")));

        assertThat(answer.body()).isEqualTo("1");
    }

    private HttpRequest.Builder bytes(String contentType) {
        return intake.request("/v1/bytes")
                .header("Authorization", "Bearer " + Intake.NORTH)
                .header("Idempotency-Key", Intake.newKey())
                .header("Content-Type", contentType);
    }

    /** An application with servlets of every kind of mapping. */
    @SpringBootConfiguration
    @EnableAutoConfiguration(
            exclude = {
                SecurityAutoConfiguration.class,
                ServletWebSecurityAutoConfiguration.class,
                SecurityFilterAutoConfiguration.class,
                ManagementWebSecurityAutoConfiguration.class,
                UserDetailsServiceAutoConfiguration.class
            })
    @RestController
    static class Host {

        private static final String SWALLOW = "X-Swallow";

        private final AtomicInteger reached = new AtomicInteger();

        @Bean
        AtomicInteger reached() {
            return reached;
        }

        @GetMapping("/controller")
        int controller() {
            return reached.incrementAndGet();
        }

        @Bean
        IntakeRouter bytes() {
            IntakeHandler echo = request -> ServerResponse.ok().body(request.body());
            return IntakeRouter.create()
                    .POST("/v1/bytes", echo)
                    .route(HttpMethod.PUT, "/v1/bytes", options -> {}, echo);
        }

        @Bean
        Filter swallowing() {
            return (request, response, chain) -> {
                String bytes = ((HttpServletRequest) request).getHeader(SWALLOW);
                if (bytes != null) {
                    var unused = request.getInputStream().readNBytes(Integer.parseInt(bytes));
                }
                chain.doFilter(request, response);
            };
        }

        @Bean
        ServletRegistrationBean<HttpServlet> admin() {
            HttpServlet servlet = new HttpServlet() {
                @Override
                protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                    response.getOutputStream().print(reached.incrementAndGet());
                }
            };
            return new ServletRegistrationBean<>(servlet, "/admin/*", "/ops/metrics", "*.do");
        }
    }
}
