/** Reproductions of findings in the frameworks, without idem; see docs/upstream.md. */
@org.jspecify.annotations.NullMarked
package io.idem.consumer.upstream;
