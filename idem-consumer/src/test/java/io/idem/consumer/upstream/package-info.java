/** Reproductions of findings in the frameworks, without idem; see docs/reports/upstream.md. */
@org.jspecify.annotations.NullMarked
package io.idem.consumer.upstream;
