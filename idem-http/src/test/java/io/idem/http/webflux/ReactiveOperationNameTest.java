package io.idem.http.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.OperationNameContract;
import io.idem.http.contract.Operations;
import io.idem.http.contract.VersionedOperations;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.web.reactive.config.ApiVersionConfigurer;
import org.springframework.web.reactive.config.WebFluxConfigurer;

@AppTest(
        value = ReactiveOperationNameTest.Application.class,
        type = WebApplicationType.REACTIVE,
        settings = OperationNameContract.SETTINGS)
class ReactiveOperationNameTest extends OperationNameContract {

    ReactiveOperationNameTest(App app) {
        super(app);
    }

    @Test
    void aFormOfPartsWithoutNamesIsComparedAndHandledAsBytes() {
        assertThat(formOfNamelessParts("one").body()).isEqualTo("45 bytes, run 1");
        assertThat(formOfNamelessParts("one").replayed()).isTrue();
        assertThat(formOfNamelessParts("two").status()).isEqualTo(422);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({ReactiveShop.Open.class, ReactiveShop.Parts.class, Operations.class, VersionedOperations.class})
    static class Application implements WebFluxConfigurer {

        @Override
        public void configureApiVersioning(ApiVersionConfigurer versions) {
            versions.usePathSegment(0, path -> path.value().startsWith("/v"))
                    .useVersionResolver(
                            exchange -> exchange.getRequest().getHeaders().getFirst("X-Own-Version"));
        }
    }
}
