package io.idem.gateway.service.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.TenantResolver;
import io.idem.http.internal.servlet.IncomingServletRequest;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.filter.ForwardedHeaderFilter;

class ProxyTenantTest {

    private static final String PROXIES = "idem.http.tenant-from.trusted-proxies=";

    private final WebApplicationContextRunner intake = new WebApplicationContextRunner()
            .withUserConfiguration(Parts.class)
            .withPropertyValues(
                    "idem.http.tenant=PROXY_HEADER", "idem.http.tenant-from.header=X-Tenant", PROXIES + "10.1.2.3");
    private final MockHttpServletRequest request = new MockHttpServletRequest();

    /** Imports the configuration, as the auto-configuration of the service does. */
    @Configuration(proxyBeanMethods = false)
    @Import(ProxyTenantConfiguration.class)
    static class Parts {}

    private void tenant(WebApplicationContextRunner with, Consumer<String> check) {
        with.run(context -> check.accept(context.getBean(TenantResolver.class)
                .resolve(IncomingServletRequest.of(request))
                .orElse("")));
    }

    private static void refused(WebApplicationContextRunner with, String words) {
        with.run(context -> assertThat(context).getFailure().hasStackTraceContaining(words));
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.2.3, 10.1.2.3, acme",
        "10.1.2.3, 10.1.2.4, ''",
        "10.0.0.0/8, 10.255.0.1, acme",
        "10.0.0.0/8, 11.0.0.1, ''",
        "10.0.0.0/9, 10.128.0.1, ''",
        "fd00::/8, fdff::1, acme",
        "fd00::/8, fe80::1%eth0, ''",
        "fe80::/10, fe80::1%eth0, acme",
        "127.0.0.1, ::ffff:127.0.0.1, acme",
        "'10.1.2.3,10.1.2.4', 10.1.2.4, acme",
        "10.1.2.3, '', ''"
    })
    void aProxyIsTrustedByItsAddress(String trusted, String address, String believed) {
        request.setRemoteAddr(address);
        request.addHeader("X-Tenant", "acme");

        tenant(
                intake.withPropertyValues(PROXIES + trusted),
                tenant -> assertThat(tenant).isEqualTo(believed));
    }

    @Test
    void severalTenantsOfAProxyAreNone() {
        request.setRemoteAddr("10.1.2.3");
        request.addHeader("X-Tenant", "acme");
        request.addHeader("X-Tenant", "umbrella");

        tenant(intake, tenant -> assertThat(tenant).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"proxy.example.com", "10.0.0.0/33", "10.0.0.0/", "::/129", ""})
    void whatIsNoAddressIsRefused(String wrong) {
        refused(intake.withPropertyValues(PROXIES + wrong), "needs a header and the addresses of the proxies");
    }

    @ParameterizedTest
    @ValueSource(strings = {"proxy-header", "proxyHeader", "PROXY_HEADER"})
    void theSettingCountsInEverySpelling(String spelling) {
        intake.withPropertyValues("idem.http.tenant=" + spelling)
                .run(context -> assertThat(context).hasSingleBean(TenantResolver.class));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "server.forward-headers-strategy=framework",
                "server.forward-headers-strategy=native",
                "server.tomcat.remoteip.remote-ip-header=x-forwarded-for",
                "server.tomcat.remoteip.protocol-header=x-forwarded-proto",
                "spring.main.cloud-platform=kubernetes"
            })
    void aProxyIsNotTrustedByAnAddressThatWasForwarded(String setting) {
        refused(intake.withPropertyValues(setting), "takes addresses from forwarded headers");
    }

    @Test
    void aFilterThatTakesForwardedAddressesIsRefused() {
        refused(intake.withBean(ForwardedHeaderFilter.class), "takes addresses from forwarded headers");
    }
}
