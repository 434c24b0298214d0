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
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.springframework.core.retry.RetryException;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientResponseException;

/** Java clients. OkHttp and Apache's client are as they come. */
public enum JavaClients implements RetryingClient {
    OKHTTP {
        @Override
        public Seen post(URI uri, String key) {
            OkHttpClient client = new OkHttpClient();
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
    APACHE_5 {
        @Override
        public Seen post(URI uri, String key) {
            HttpPost request = new HttpPost(uri);
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
    REST_CLIENT_WITH_RETRY_TEMPLATE {
        @Override
        public Seen post(URI uri, String key) {
            var http = new JdkClientHttpRequestFactory(
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build());
            http.setReadTimeout(Duration.ofSeconds(30));
            RestClient client = RestClient.builder().requestFactory(http).build();
            RetryTemplate retries = new RetryTemplate(RetryPolicy.builder()
                    .maxRetries(100)
                    .delay(Duration.ofMillis(50))
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
    }
}
