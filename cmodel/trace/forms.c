// SPDX-License-Identifier: Apache-2.0
// forms.c: the forms by number and by name.
#include "trace/form.h"
#include "trace/layout.h"

#define ROW(enumerator, kind) [GMMU_FORM_##enumerator] = &gmmu_form_##kind,
static const gmmu_form_kind *const kinds[GMMU_FORMS] = {GMMU_FORM_TABLE(ROW)};
#undef ROW

const gmmu_form_kind *gmmu_form_kind_of(gmmu_form form) {
    return form < GMMU_FORMS ? kinds[form] : NULL;
}

const char *gmmu_form_name(gmmu_form form) {
    const gmmu_form_kind *kind = gmmu_form_kind_of(form);
    return kind != NULL ? kind->name : form == GMMU_FORM_AUTO ? "auto" : "";
}

bool gmmu_form_writes(gmmu_form form) {
    const gmmu_form_kind *kind = gmmu_form_kind_of(form);
    return kind != NULL && kind->writer != NULL;
}

gmmu_form gmmu_form_find(const char *name) {
    gmmu_form form = GMMU_FORM_AUTO;
    while (form < GMMU_FORMS && !gmmu_column_same(name, gmmu_form_name(form))) {
        form++;
    }
    return form;
}
