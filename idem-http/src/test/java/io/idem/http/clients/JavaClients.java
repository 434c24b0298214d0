package io.idem.http.clients;

import io.idem.http.contract.Client;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.util.Timeout;
import org.springframework.core.retry.RetryException;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientResponseException;

/** Java clients. OkHttp and Apache's client are as they come, but for their patience. */
public enum JavaClients implements RetryingClient {
    OKHTTP("OkHttp", "its defaults: connections that break before the request is sent") {
        @Override
        public Seen post(URI uri, String key, Duration patience) {
            OkHttpClient client =
                    new OkHttpClient.Builder().readTimeout(patience).build();
            Request request = new Request.Builder()
                    .url(uri.toString())
                    .header(Client.KEY, key)
                    .post(RequestBody.create("{}", MediaType.get("application/json")))
                    .build();
            try (Response response = client.newCall(request).execute()) {
                return new Seen(
                        response.code(),
                        response.body() == null ? "" : response.body().string());
            } catch (IOException failure) {
                return Seen.failure(failure);
            } finally {
                client.dispatcher().executorService().shutdown();
                client.connectionPool().evictAll();
            }
        }
    },
    APACHE_5("Apache HttpClient 5", "its defaults: broken connections; 429 and 503 once") {
        @Override
        public Seen post(URI uri, String key, Duration patience) {
            HttpPost request = new HttpPost(uri);
            request.setConfig(RequestConfig.custom()
                    .setResponseTimeout(Timeout.of(patience))
                    .build());
            request.setHeader(Client.KEY, key);
            request.setEntity(new StringEntity("{}", ContentType.APPLICATION_JSON));
            try (CloseableHttpClient client = HttpClients.createDefault()) {
                return client.execute(
                        request, response -> new Seen(response.getCode(), EntityUtils.toString(response.getEntity())));
            } catch (IOException failure) {
                return Seen.failure(failure);
            }
        }
    },
    /** Repeats after every exception, and so after 409 too. */
    REST_CLIENT_WITH_RETRY_TEMPLATE("`RestClient` in a `RetryTemplate`", "every exception, that of a 409 too") {
        @Override
        public Seen post(URI uri, String key, Duration patience) {
            var http = new JdkClientHttpRequestFactory(
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build());
            http.setReadTimeout(patience);
            RestClient client = RestClient.builder().requestFactory(http).build();
            RetryTemplate retries = new RetryTemplate(RetryPolicy.builder()
                    .maxRetries(5)
                    .delay(Duration.ofSeconds(1))
                    .build());
            try {
                return retries.execute(() -> new Seen(
                        200,
                        String.valueOf(client.post()
                                .uri(uri)
                                .header(Client.KEY, key)
                                .contentType(org.springframework.http.MediaType.APPLICATION_JSON)
                                .body("{}")
                                .retrieve()
                                .body(String.class))));
            } catch (RetryException failure) {
                return failure.getLastException() instanceof RestClientResponseException answer
                        ? new Seen(answer.getStatusCode().value(), answer.getResponseBodyAsString())
                        : Seen.failure(failure);
            }
        }
    };

    private final String title;
    private final String retries;

    JavaClients(String title, String retries) {
        this.title = title;
        this.retries = retries;
    }

    String title() {
        return title;
    }

    String retries() {
        return retries;
    }
}
