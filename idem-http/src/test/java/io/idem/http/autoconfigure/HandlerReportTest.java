package io.idem.http.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Fingerprint;
import io.idem.Idempotent;
import io.idem.http.RequestFingerprinter;
import io.idem.http.contract.Operations;
import io.idem.http.contract.Runs;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcRegistrations;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.filter.ForwardedHeaderFilter;
import org.springframework.web.servlet.mvc.condition.HeadersRequestCondition;
import org.springframework.web.servlet.mvc.condition.RequestCondition;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** What the start says of handlers that read, or are selected by, more than is compared. */
@ExtendWith(OutputCaptureExtension.class)
@Tag("servers")
class HandlerReportTest {

    private final WebApplicationContextRunner app = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(WebMvcAutoConfiguration.class, IdemHttpAutoConfiguration.class))
            .withUserConfiguration(IdemHttpAutoConfigurationTest.Engine.class)
            .withBean(Runs.class)
            .withPropertyValues("spring.application.name=shop", "idem.http.tenant=SINGLE");

    @Test
    void headersAndCookiesThatHandlersReadAndNothingComparesAreNamed(CapturedOutput output) {
        app.withBean(Operations.class)
                .withPropertyValues("idem.http.routes[0].path=/operations/**")
                .run(context -> assertThat(output)
                        .contains("not compared though handlers read it: cookie:basket, header:X-Region"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "idem.http.tenant-parts=header:x-region,cookie:basket",
                "idem.http.fingerprint.headers=X-Region,Cookie",
                "idem.http.routes[0].key.header=X-Event"
            })
    void whatTenantKeyOrFingerprintHaveIsNotNamed(String setting, CapturedOutput output) {
        app.withBean(Operations.class)
                .withPropertyValues("idem.http.routes[0].path=/operations/{*rest}", setting)
                .run(context -> assertThat(output)
                        .contains("idem protects 1 HTTP route(s)")
                        .doesNotContain("not compared though"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/narrow/7", "/narrow/*", "/**"})
    void whatAHandlerReadsIsNamedThoughItSelectsOneOfAnotherPath(String route, CapturedOutput output) {
        app.withBean(Narrow.class)
                .withPropertyValues("idem.http.routes[0].path=" + route)
                .run(context -> assertThat(output).contains("not compared though handlers read it: header:X-Region"));
    }

    @Test
    void conditionsOfTheApplicationsOwnAreNamed(CapturedOutput output) {
        app.withBean(Narrow.class)
                .withBean(WebMvcRegistrations.class, OwnConditions::new)
                .withPropertyValues("idem.http.routes[0].path=/narrow/*")
                .run(context -> assertThat(output).contains("handlers read it: custom condition, header:X-Region"));
    }

    @Test
    void conditionsOfTheApplicationsOwnAreWarnedOfWithTheRemedy(CapturedOutput output) {
        app.withBean(Narrow.class)
                .withBean(WebMvcRegistrations.class, OwnConditions::new)
                .withPropertyValues(
                        "idem.observability.start-up-report=false",
                        "idem.http.routes[0].path=/narrow/*",
                        "idem.http.routes[0].methods=POST",
                        "idem.http.routes[1].path=/narrow/*/region")
                .run(context -> assertThat(output)
                        .containsPattern("WARN.*handlers of the routes POST /narrow/\\*,.*fingerprint.headers"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"idem.http.routes[0].fingerprint.headers=X-Anything", "idem.http.fingerprint.headers=X-Anything"
            })
    void conditionsThatReadComparedHeadersAreNotWarnedOf(String setting, CapturedOutput output) {
        app.withBean(Narrow.class)
                .withBean(WebMvcRegistrations.class, OwnConditions::new)
                .withPropertyValues("idem.http.routes[0].path=/narrow/*", setting)
                .run(context -> assertThat(output).contains("idem protects").doesNotContain("WARN"));
    }

    @Test
    void conditionsAreNotWarnedOfBesideAFingerprinterOfTheApplication(CapturedOutput output) {
        app.withBean(Narrow.class)
                .withBean(WebMvcRegistrations.class, OwnConditions::new)
                .withBean(RequestFingerprinter.class, () -> (request, body) -> Fingerprint.NONE)
                .withPropertyValues("idem.http.routes[0].path=/narrow/*")
                .run(context -> assertThat(output).contains("idem protects").doesNotContain("WARN"));
    }

    @ParameterizedTest
    @CsvSource({
        "/shop/narrow/{id}/region, POST",
        "/narrow/{id}/reigon, POST",
        "/narrow/{id}/region/, POST",
        "/narrow/{id}/region, PUT"
    })
    void aRouteThatMissesTheHandlerThatItMeansIsNamed(String path, String method, CapturedOutput output) {
        app.withBean(Narrow.class)
                .withPropertyValues(
                        "idem.observability.start-up-report=false",
                        "idem.http.routes[0].path=" + path,
                        "idem.http.routes[0].methods=" + method,
                        "idem.http.routes[1].path=/narrow/{any}",
                        "idem.http.routes[2].path=/of-a-function/or-servlet")
                .run(context -> assertThat(output)
                        .contains("No controller method is mapped to the routes " + method + " " + path
                                + " ([POST] /narrow/{id}/region?); unless a function or a servlet is, name paths"
                                + " without context path"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"header:", "X-Org", "cookie:a b", "host:8080"})
    void aPartThatNothingReadsIsRefused(String part) {
        app.withPropertyValues("idem.http.routes[0].path=/versions", "idem.http.tenant-parts=" + part)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("idem.http.tenant-parts \"" + part + "\" is none of host"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "idem.http.tenant-parts=host,header:X-Forwarded-Host",
                "idem.http.tenant-parts=header:forwarded",
                "idem.http.fingerprint.headers=X-Forwarded-Prefix",
                "idem.http.routes[0].fingerprint.headers=x-forwarded-host"
            })
    void aForwardedHeaderThatSpringHidesIsRefused(String setting) {
        WebApplicationContextRunner counting = app.withPropertyValues("idem.http.routes[0].path=/orders", setting);

        counting.withBean(ForwardedHeaderFilter.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("ForwardedHeaderFilter or ForwardedHeaderTransformer hides"));
        counting.run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void theForwardedHostMayBeAPartOfTheTenant() {
        app.withBean(ForwardedHeaderFilter.class)
                .withPropertyValues("idem.http.routes[0].path=/orders", "idem.http.tenant-parts=host,header:X-Org")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void handlersThatTheRouteOfAnotherProtectsAreNamed(CapturedOutput output) {
        app.withBean(Mixed.class)
                .run(context -> assertThat(output)
                        .containsPattern("WARN.*protect handlers that are not @Idempotent: [^.]*"
                                + "\\[POST] /mixed/search \\(by POST /mixed/\\{id}\\)")
                        .contains("[POST] /mixed/versions (by POST /mixed/versions)")
                        .doesNotContain("/numbers/search", "[POST] /mixed/**"));
    }

    @Test
    void handlersThatTheSettingsNameAreMeant(CapturedOutput output) {
        app.withBean(Mixed.class)
                .withPropertyValues(
                        "idem.http.routes[0].path=/mixed/search", "idem.http.routes[1].path=/mixed/versions")
                .run(context -> assertThat(output).contains("idem protects").doesNotContain("not @Idempotent"));
    }

    @RestController
    static class Mixed {

        @Idempotent
        @PostMapping({"/mixed/{id}", "/numbers/{id:[0-9]+}"})
        String protectedOne() {
            return "protected";
        }

        @PostMapping({"/mixed/search", "/numbers/search", "/mixed/**"})
        String plain() {
            return "plain";
        }

        @Idempotent
        @PostMapping(path = "/mixed/versions", headers = "X-Kind=card")
        String card() {
            return "card";
        }

        @PostMapping(path = "/mixed/versions", headers = "X-Kind=cash")
        String cash() {
            return "cash";
        }
    }

    @RestController
    static class Narrow {

        @PostMapping("/narrow/{id}")
        String reading(@RequestHeader(name = "X-Region", required = false) String region) {
            return "reading";
        }

        @PostMapping(path = "/narrow/{id}/region", headers = "X-Region")
        String selected() {
            return "selected";
        }

        @PostMapping(path = "/narrow/{other}", headers = "X-Kind=card")
        String beside() {
            return "beside";
        }
    }

    static class OwnConditions implements WebMvcRegistrations {

        @Override
        public RequestMappingHandlerMapping getRequestMappingHandlerMapping() {
            return new RequestMappingHandlerMapping() {

                @Override
                protected @Nullable RequestCondition<?> getCustomMethodCondition(Method method) {
                    return method.getName().equals("beside")
                            ? new HeadersRequestCondition("X-Anything")
                            : super.getCustomMethodCondition(method);
                }
            };
        }
    }
}
