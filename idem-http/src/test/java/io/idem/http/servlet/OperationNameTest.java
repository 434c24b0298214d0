package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.OperationNameContract;
import io.idem.http.contract.Operations;
import io.idem.http.contract.VersionedOperations;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.web.servlet.config.annotation.ApiVersionConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

@AppTest(value = OperationNameTest.Application.class, settings = OperationNameContract.SETTINGS)
class OperationNameTest extends OperationNameContract {

    private final Client client;

    OperationNameTest(App app) {
        super(app);
        this.client = app.client();
    }

    @Test
    void oneKeyAtTwoHandlersThatTheParameterForTypesSelectsIsRefused() {
        String key = Client.newKey();

        assertThat(client.post("/operations/accepted/7?format=txt", key).body()).isEqualTo("label 1");
        assertThat(client.post("/operations/accepted/7?format=txt", key).replayed())
                .isTrue();
        assertThat(client.post("/operations/accepted/7?format=json", key).status())
                .isEqualTo(422);
    }

    /** The container shows the handler no part without a name. */
    @Test
    void aFormOfPartsWithoutNamesIsRefused() {
        assertThat(formOfNamelessParts("one".repeat(30)).status()).isEqualTo(400);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Shop.Open.class, Shop.Parts.class, Operations.class, VersionedOperations.class})
    static class Application implements WebMvcConfigurer {

        @Override
        public void configureApiVersioning(ApiVersionConfigurer versions) {
            versions.usePathSegment(0, path -> path.value().startsWith("/v"))
                    .useVersionResolver(request -> request.getHeader("X-Own-Version"));
        }
    }
}
