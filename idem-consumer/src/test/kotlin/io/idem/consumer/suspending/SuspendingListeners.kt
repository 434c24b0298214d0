package io.idem.consumer.suspending

import io.idem.IdempotencyContext
import io.idem.consumer.IdempotentListener
import kotlinx.coroutines.delay
import org.springframework.amqp.rabbit.annotation.RabbitListener
import org.springframework.kafka.annotation.KafkaListener

private const val PAYMENTS = "payments"

/** What a listener of a test does; on whatever thread its coroutine goes on. */
fun interface SuspendedWork {

    @Throws(Exception::class)
    fun on(body: String, context: IdempotencyContext): String
}

/** Suspends before it works. Open: Kotlin's classes and functions are final otherwise, and no proxy could guard them. */
open class SuspendingKafkaListener(private val work: SuspendedWork) {

    @KafkaListener(id = "suspending", idIsGroup = false, topics = ["\${test.topic}"])
    @IdempotentListener(scope = PAYMENTS)
    open suspend fun pay(body: String, context: IdempotencyContext) {
        delay(20)
        work.on(body, context)
    }
}

/** The same on RabbitMQ, with an answer. */
open class SuspendingRabbitListener(private val work: SuspendedWork) {

    @RabbitListener(queues = ["\${test.name}.payments"])
    @IdempotentListener(scope = PAYMENTS)
    open suspend fun pay(body: String, context: IdempotencyContext): String {
        delay(20)
        return work.on(body, context)
    }
}

/** As Kotlin's classes are if nothing is said. */
class FinalListener {

    @RabbitListener(queues = ["\${test.name}.payments"])
    @IdempotentListener(scope = PAYMENTS)
    suspend fun pay(body: String): String {
        delay(1)
        return body
    }
}
