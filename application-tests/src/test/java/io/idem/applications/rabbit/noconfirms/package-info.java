/** Boot's default: nobody hears whether a publication arrived. */
@NullMarked
package io.idem.applications.rabbit.noconfirms;

import org.jspecify.annotations.NullMarked;
