package io.idem.examples.payments;

import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

@Component
class Provider {

    private final RestClient client;

    Provider(RestClient.Builder builder) {
        client = builder.baseUrl("https://api.provider.example").build();
    }

    String charge(String paymentId, PaymentRequested payment) {
        return client.post()
                .uri("/charges")
                .header("Idempotency-Key", paymentId) // the provider recognises a repeated call
                .body(payment)
                .retrieve()
                .onStatus(status -> status.value() == 402, (request, response) -> {
                    throw new CardRefusedException(payment.account());
                })
                .requiredBody(Charge.class)
                .reference();
    }
}
