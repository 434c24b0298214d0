/** The supervisor, which starts servers, intake and consumers, kills some of the consumers and runs the plan. */
@NullMarked
package io.idem.demo.supervisor;

import org.jspecify.annotations.NullMarked;
