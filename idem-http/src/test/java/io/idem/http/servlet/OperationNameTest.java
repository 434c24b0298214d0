package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.OperationNameContract;
import io.idem.http.contract.Operations;
import io.idem.http.contract.VersionedOperations;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
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
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Type: text/plain\r\n\r\none",
                "Content-Disposition: form-data; filename=\"f.txt\"\r\n\r\none",
                "A:b\r\n\r\n",
                "X-Long: 1\r\n\r\none one one one one one one one one one one one one one one one one one one one one one"
            })
    void aFormOfPartsWithoutNamesIsRefused(String part) {
        String body = "--b\r\n" + part + "\r\n--b--\r\n";

        assertThat(client.send(multipart("/operations/plain", "multipart/form-data", body))
                        .status())
                .isEqualTo(400);
        assertThat(formInChunks("/operations/plain", body).status()).isEqualTo(400);
    }

    @Test
    void aFormWithoutPartsIsComparedAndHandled() {
        assertThat(client.send(multipart("/operations/plain", "multipart/form-data", "\r\n--b--\r\n"))
                        .status())
                .isEqualTo(200);
        assertThat(client.send(multipart("/operations/plain", "multipart/form-data", "--b--\r\n"))
                        .replayed())
                .isTrue();
    }

    @Test
    void aFormInChunksForAServletWithoutPartsIsComparedAsBytes() {
        String body = "--b\r\nContent-Disposition: form-data; name=\"f\"\r\n\r\none\r\n--b--\r\n";

        assertThat(formInChunks("/operations/raw", body).body()).isEqualTo(body.length() + " bytes");
        assertThat(formInChunks("/operations/raw", body).replayed()).isTrue();
        assertThat(formInChunks("/operations/raw", body.replace("one", "two")).status())
                .isEqualTo(422);
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

        /** A servlet that takes no parts. */
        @Bean
        ServletRegistrationBean<HttpServlet> raw() {
            HttpServlet servlet = new HttpServlet() {
                @Override
                protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
                    response.getWriter().print(request.getInputStream().readAllBytes().length + " bytes");
                }
            };
            return new ServletRegistrationBean<>(servlet, "/operations/raw");
        }
    }
}
