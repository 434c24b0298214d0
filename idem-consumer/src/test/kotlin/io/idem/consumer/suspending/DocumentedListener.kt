package io.idem.consumer.suspending

import io.idem.IdempotencyContext
import io.idem.consumer.IdempotentListener
import kotlinx.coroutines.delay
import org.springframework.amqp.rabbit.annotation.RabbitListener

class Payment(val account: String)

class Receipt(val account: String)

class Ledger {

    suspend fun book(payment: Payment): Receipt {
        delay(1)
        return Receipt(payment.account)
    }
}

// docs/async.md
open class Payments(private val ledger: Ledger) {

    @RabbitListener(queues = ["payments"])      // or @KafkaListener(topics = ["payments"])
    @IdempotentListener(scope = "payments")
    open suspend fun pay(payment: Payment, context: IdempotencyContext): Receipt {
        return ledger.book(payment)
    }
}
