package io.idem.http.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.Client;
import io.idem.http.contract.Operations;
import io.idem.http.contract.Runs;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.config.annotation.ApiVersionConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** What the start says of handlers that read, or are selected by, more than is compared. */
@ExtendWith(OutputCaptureExtension.class)
@Tag("servers")
class HandlerReportTest {

    private static final String VERSION = "The version of the API selects handlers of ";

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
                .withPropertyValues("idem.http.routes[0].path=/operations/**", setting)
                .run(context -> assertThat(output)
                        .contains("idem protects 1 HTTP route(s)")
                        .doesNotContain("not compared though"));
    }

    @Test
    void handlersThatAVersionOfUnknownPlaceSelectsAreToldOnce(CapturedOutput output) {
        app.withUserConfiguration(Versions.class)
                .withPropertyValues("idem.http.routes[0].path=/versions", "idem.http.routes[1].path=/versions/**")
                .run(context -> assertThat(output).containsOnlyOnce(VERSION).contains("idem.http.fingerprint.headers"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "idem.http.fingerprint.headers=X-Version",
                "spring.mvc.apiversion.use.header=X-Version",
                "spring.mvc.apiversion.use.query-parameter=version"
            })
    void handlersThatAVersionOfKnownPlaceSelectsAreNotTold(String setting, CapturedOutput output) {
        app.withUserConfiguration(Versions.class)
                .withPropertyValues("idem.http.routes[0].path=/versions", setting)
                .run(context -> assertThat(output)
                        .contains("idem protects 1 HTTP route(s)")
                        .doesNotContain(VERSION));
    }

    @ParameterizedTest
    @ValueSource(strings = {"header:", "X-Org", "cookie:a b", "host:8080"})
    void aPartThatNothingReadsIsRefused(String part) {
        app.withPropertyValues("idem.http.routes[0].path=/versions", "idem.http.tenant-parts=" + part)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("idem.http.tenant-parts \"" + part + "\" is none of host"));
    }

    @RestController
    static class Versions implements WebMvcConfigurer {

        @Override
        public void configureApiVersioning(ApiVersionConfigurer configurer) {
            configurer.useRequestHeader("X-Version");
        }

        @PostMapping(path = "/versions", version = "1")
        String first(@RequestHeader(Client.KEY) String key) {
            return "first";
        }

        @PostMapping(path = "/versions", version = "2")
        String second(@RequestHeader(Client.KEY) String key) {
            return "second";
        }
    }
}
