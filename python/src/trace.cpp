// SPDX-License-Identifier: Apache-2.0
// trace.cpp: traces read and written.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>

#include "arrays.h"
#include "how.h"
#include "long_call.h"
#include "module.h"

namespace nb = nanobind;

How::How(const std::string &form, unsigned page_shift, unsigned coarse_shift, uint64_t iterations,
         std::string columns, std::string separators, bool no_header, bool renumber)
    : columns_(std::move(columns)), separators_(std::move(separators)) {
    form_.form = gmmu_form_find(form.c_str());
    form_.coarse_shift = coarse_shift;
    form_.settings.page_shift = page_shift;
    form_.settings.iterations = iterations;
    form_.settings.no_header = no_header;
    form_.settings.renumber = renumber;
}

gmmu_source_form How::form() const {
    gmmu_source_form form = form_;
    form.settings.columns = columns_.empty() ? nullptr : columns_.c_str();
    form.settings.separators = separators_.empty() ? nullptr : separators_.c_str();
    return form;
}

void check_hints(const Records<gmmu_hint> &hints, size_t count) {
    for (size_t i = 0; i < hints.count; i++) {
        const gmmu_hint &h = hints.data[i];
        const char *wrong = h.walk > count ? "a walk behind the end"
                            : i != 0 && h.walk < hints.data[i - 1].walk
                                ? "a walk before that of the hint before"
                            : static_cast<unsigned>(h.kind) >= GMMU_HINT_KINDS ? "no kind"
                            : h.kind != GMMU_HINT_LAUNCH && h.pages == 0       ? "no pages"
                                                                               : nullptr;
        if (wrong != nullptr) {
            gmmu_error err;
            (void)snprintf(err.text, sizeof err.text,
                           "hint %zu: found %s, expected hints in the order of the walks, each "
                           "launch, alloc or free",
                           i, wrong);
            throw_error(err);
        }
    }
}

namespace {

// A trace that is open for reading.
class Reader {
   public:
    Reader(const nb::bytes &path, const How &how) : path_(path_of(path)), how_(how) {
        const gmmu_listener listener = {this, say, nullptr, is_stopped_of, nullptr, nullptr};
        bool good = false;
        gmmu_error err = {""};
        const gmmu_source_form form = how_.form();
        long_call(stop_, [&] {
            good = gmmu_source_open(&source_, path_.c_str(), &form, false, &listener, &err);
        });
        open_ = true;
        if (!good) {
            end();
            throw_error(err);
        }
        form_ = gmmu_form_name(gmmu_reader_form(source_.reader));
    }
    ~Reader() { end(); }
    Reader(const Reader &) = delete;
    Reader &operator=(const Reader &) = delete;

    void close() {
        const Busy busy(busy_, "trace");
        end();
    }
    void end() {
        if (open_) {
            gmmu_source_close(&source_);
        }
        open_ = false;
    }

    // Up to MOST walks, fewer at the end of the trace alone, with the hints before and among them,
    // and behind the last walk of the trace: (bytes of walks, bytes of hints).
    nb::tuple next(size_t most) {
        const Busy busy(busy_, "trace");
        if (!open_) {
            throw nb::value_error("the trace is closed");
        }
        std::vector<gmmu_walk> walks;
        std::vector<gmmu_hint> hints;
        gmmu_error err = {""};
        int status = GMMU_END;
        if (!ended_) {
            long_call(stop_, [&] { status = fill(most, walks, hints, err); });
        }
        if (status == GMMU_BAD) {
            throw_error(err);
        }
        ended_ = status == GMMU_END;
        return nb::make_tuple(array_of(std::move(walks)), array_of(std::move(hints)));
    }

    bool ended() const { return ended_; }
    std::string form() const { return form_; }
    unsigned page_shift() const { return source_.page_shift; }
    // (walks, pages, source, licence, comment), each may be None
    nb::tuple about() const {
        if (!open_) {
            throw nb::value_error("the trace is closed");
        }
        const gmmu_about *a = gmmu_reader_about(source_.reader);
        return nb::make_tuple(number(a->walks), number(a->pages), text(a->source), text(a->licence),
                              text(a->comment));
    }
    std::vector<std::string> notes() const { return notes_; }

   private:
    static void say(void *context, const char *line) {
        static_cast<Reader *>(context)->notes_.emplace_back(line);
    }
    static bool is_stopped_of(void *context) {
        return is_stopped(&static_cast<Reader *>(context)->stop_);
    }
    static nb::object number(uint64_t n) {
        return n == GMMU_UNKNOWN ? nb::none() : nb::object(nb::int_(n));
    }
    static nb::object text(const char *t) {
        return t == nullptr ? nb::none()
                            : nb::object(nb::steal(PyUnicode_DecodeUTF8(
                                  t, static_cast<Py_ssize_t>(std::strlen(t)), "backslashreplace")));
    }

    int fill(size_t most, std::vector<gmmu_walk> &walks, std::vector<gmmu_hint> &hints,
             gmmu_error &err) {
        const uint64_t stated = gmmu_reader_about(source_.reader)->walks;
        const uint64_t believed = uint64_t{1} << 26;
        const uint64_t left =
            stated == GMMU_UNKNOWN || stated < source_.walks ? 0 : stated - source_.walks;
        walks.reserve(std::min<uint64_t>({left, most, believed}));
        int status = GMMU_OK;
        while (status == GMMU_OK && walks.size() < most) {
            const gmmu_walk *some = nullptr;
            size_t count = 0;
            const size_t room = std::min<size_t>(most - walks.size(), GMMU_SOURCE_BATCH);
            status = gmmu_source_some(&source_, room, &some, &count, &err);
            add_walks(walks, some, count);
            const gmmu_hint *between = gmmu_source_hints(&source_, &count);
            hints.insert(hints.end(), between, between + count);
        }
        return status;
    }

    std::string path_, form_;
    How how_;
    gmmu_source source_ = {};
    std::atomic<bool> stop_ = false;
    std::vector<std::string> notes_;
    bool open_ = false, ended_ = false;
    std::atomic<bool> busy_ = false;
};

// A trace that is being written.
class Writer {
   public:
    // FORM: a name, or "" for that of the path. TEXTS: source, licence, comment, "" where there is
    // none.
    Writer(const nb::bytes &path, const std::string &form, unsigned page_shift,
           const std::vector<std::string> &texts)
        : path_(path_of(path)) {
        const auto text = [&](size_t i) { return texts[i].empty() ? nullptr : texts[i].c_str(); };
        const gmmu_about about = {page_shift, GMMU_UNKNOWN - 1, GMMU_UNKNOWN - 1,
                                  text(0),    text(1),          text(2)};
        const gmmu_form kind = form.empty() ? GMMU_FORM_AUTO : gmmu_form_find(form.c_str());
        gmmu_error err = {""};
        {
            const nb::gil_scoped_release free;
            writer_ = gmmu_writer_open_as(path_.c_str(), kind, &about, &err);
        }
        if (writer_ == nullptr) {
            throw_error(err);
        }
    }
    ~Writer() { abandon(); }
    Writer(const Writer &) = delete;
    Writer &operator=(const Writer &) = delete;

    // The hints stand among these walks: their walk numbers count from the first of the trace.
    void put(const Bytes &walk_bytes, const Bytes &hint_bytes) {
        need_open();
        const auto walks = records<gmmu_walk>(walk_bytes);
        const auto hints = records<gmmu_hint>(hint_bytes);
        for (size_t i = 0; i < hints.count; i++) {
            if (hints.data[i].walk < count_) {
                throw nb::value_error(
                    "found a hint before walks that are written, expected hints with or before "
                    "their walks");
            }
        }
        int status = GMMU_OK;
        gmmu_error err = {""};
        long_call(stop_, [&] { status = put_all(walks, hints, err); });
        if (status != GMMU_OK) {
            throw_error(err);
        }
    }

    void close() {
        need_open();
        gmmu_error err = {""};
        int status = GMMU_OK;
        gmmu_writer *w = writer_;
        writer_ = nullptr;
        {
            const nb::gil_scoped_release free;
            status = gmmu_writer_close(w, &err);
        }
        if (status != GMMU_OK) {
            remove();
            throw_error(err);
        }
    }

    // What is incomplete does not stay.
    void abandon() {
        if (writer_ != nullptr) {
            gmmu_error ignored;
            (void)gmmu_writer_close(writer_, &ignored);
            writer_ = nullptr;
            remove();
        }
    }

   private:
    void need_open() const {
        if (writer_ == nullptr) {
            throw nb::value_error("the trace is closed");
        }
    }

    void remove() const {
        struct stat kind;
        if (path_ != "-" && lstat(path_.c_str(), &kind) == 0 && S_ISREG(kind.st_mode)) {
            (void)unlink(path_.c_str());
        }
    }

    int put_all(const Records<gmmu_walk> &walks, const Records<gmmu_hint> &hints, gmmu_error &err) {
        enum { PART = 1024 };
        size_t next = 0;
        int status = GMMU_OK;
        for (size_t i = 0; i < walks.count && status == GMMU_OK; i++) {
            for (; next < hints.count && hints.data[next].walk == count_ && status == GMMU_OK;
                 next++) {
                status = gmmu_writer_hint(writer_, &hints.data[next], &err);
            }
            if (status == GMMU_OK) {
                status = gmmu_writer_put(writer_, &walks.data[i], &err);
                count_++;
            }
            if (i % PART == 0 && stop_) {
                (void)snprintf(err.text, sizeof err.text, "stopped");
                status = GMMU_BAD;
            }
        }
        for (; next < hints.count && status == GMMU_OK; next++) {
            status = gmmu_writer_hint(writer_, &hints.data[next], &err);
        }
        return status;
    }

    std::string path_;
    gmmu_writer *writer_ = nullptr;
    uint64_t count_ = 0;
    std::atomic<bool> stop_ = false;
};

}  // namespace

void bind_trace(nb::module_ &m) {
    nb::class_<How>(m, "How").def(nb::init<const std::string &, unsigned, unsigned, uint64_t,
                                           std::string, std::string, bool, bool>());
    nb::class_<Reader>(m, "Reader")
        .def(nb::init<const nb::bytes &, const How &>())
        .def("next", &Reader::next)
        .def("close", &Reader::close)
        .def("about", &Reader::about)
        .def_prop_ro("ended", &Reader::ended)
        .def_prop_ro("form", &Reader::form)
        .def_prop_ro("page_shift", &Reader::page_shift)
        .def_prop_ro("notes", &Reader::notes);
    nb::class_<Writer>(m, "Writer")
        .def(nb::init<const nb::bytes &, const std::string &, unsigned,
                      const std::vector<std::string> &>())
        .def("put", &Writer::put)
        .def("close", &Writer::close)
        .def("abandon", &Writer::abandon);
}
