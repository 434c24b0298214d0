package io.idem.consumer.suspending

import io.idem.IdempotencyContext
import io.idem.consumer.IdempotentListener
import io.idem.step.Step
import io.idem.step.StepContext
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.future.await
import kotlinx.coroutines.future.future
import org.springframework.kafka.annotation.KafkaListener

/** What is called in a step, and what comes after it. */
interface Shop {

    @Throws(Exception::class)
    fun charge(step: StepContext): String

    @Throws(Exception::class)
    fun settle(receipt: String)
}

/** Suspends inside of its step. */
open class SuspendingShipment(private val shop: Shop) {

    private val charge = Step.of("charge", String::class.java)

    @KafkaListener(id = "shipping", idIsGroup = false, topics = ["\${test.topic}"])
    @IdempotentListener(scope = "payments")
    open suspend fun ship(body: String, attempt: IdempotencyContext) {
        val receipt = coroutineScope {
            attempt.stepAsync(charge) { step -> future { chargeLater(step) } }.await()
        }
        shop.settle(receipt)
    }

    private suspend fun chargeLater(step: StepContext): String {
        delay(20)
        return shop.charge(step)
    }
}
