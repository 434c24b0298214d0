package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;

/** Multipart requests of an application whose handlers may read them as bytes. */
@AppTest(
        value = LazyMultipartTest.Uploads.class,
        settings = {
            "spring.servlet.multipart.resolve-lazily=true",
            "idem.http.tenant=SINGLE",
            "idem.http.routes[0].path=/uploads/*"
        })
class LazyMultipartTest {

    private final Client client;
    private final String key = Client.newKey();

    LazyMultipartTest(App app) {
        this.client = app.client();
    }

    private Answer upload(String path) {
        String body = String.join(
                "\r\n",
                "--b",
                "Content-Disposition: form-data; name=\"file\"; filename=\"f\"",
                "",
                "four",
                "--b--",
                "");
        return client.send(client.request(path)
                .setHeader("Content-Type", "multipart/form-data; boundary=b")
                .header(Client.KEY, key)
                .POST(BodyPublishers.ofString(body)));
    }

    @Test
    void aHandlerThatReadsBytesWhichWereTakenApartFails() {
        assertThat(upload("/uploads/bytes").status()).isEqualTo(500);
    }

    @Test
    void aHandlerThatTakesPartsGetsThem() {
        assertThat(upload("/uploads/parts").body()).isEqualTo("4");
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Uploads.Handlers.class, Shop.Open.class, Shop.Parts.class})
    static class Uploads {

        @RestController
        static class Handlers {

            @PostMapping("/uploads/bytes")
            String bytes(HttpServletRequest request) throws IOException {
                return String.valueOf(request.getInputStream().readAllBytes().length);
            }

            @PostMapping("/uploads/parts")
            String parts(@RequestParam("file") MultipartFile file) {
                return String.valueOf(file.getSize());
            }
        }
    }
}
